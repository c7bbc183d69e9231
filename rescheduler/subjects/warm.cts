/**
 * Loaded by `--require`, before all that the user has asked for, into a process that runs test cases again and again: what
 * hooks into the loading of modules finds ours loaded.
 */
const extension = __filename.endsWith('.cts') ? '.ts' : '.js';
require(`../../monitor/loader/own-modules${extension}`);
require(`./early${extension}`);
require(`./warm-preload${extension}`);
