// Package taskimport turns files of tasks into tasks of a service.
//
// It reads CSV and JSON, checks every row against the interface's rules, splits the rows into batches, follows the
// jobs, and tells which rows failed and why. A journal on the disk keeps a row from being sent twice, also when the
// program is interrupted and started again.
package taskimport
