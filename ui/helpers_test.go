package ui

import "waybill/apiclient"

func apiWorkers() apiclient.WorkersQuery { return apiclient.WorkersQuery{} }
