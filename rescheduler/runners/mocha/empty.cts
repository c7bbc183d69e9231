/** Stands in for the file of tests that a process loads anew for each run. */
module.exports = {};
