package apiclient

import "waybill/model"

// cleanJSON makes every text of an answer safe to show. All answers pass through here, once.
func cleanJSON(raw []byte) []byte { return model.CleanJSON(raw) }

// cleanText makes a text that is not part of a JSON answer safe to show: a page's title, a header's value.
func cleanText(text string) string { return model.Clean(text) }
