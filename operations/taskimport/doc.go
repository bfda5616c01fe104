// Package taskimport creates tasks from files.
//
// It reads CSV and JSON, checks every row against the rules of the interface, sends the rows in batches, follows the jobs,
// and reports which rows failed and why. A journal on disk prevents sending a row twice, also after an interruption.
package taskimport
