/** All that a process loads before the user's modules that runs test cases again and again; see warm.cts. */
import { beginMonitor } from '../../monitor/begin.ts';
import { loaderConfig } from '../../monitor/loader/config.ts';
import './case-rerun.ts';
import './worker-serve.ts';
import { takeOptionsBack } from './worker-options.ts';

takeOptionsBack();
// Adapters are waited for: they come by `--import`, and the monitor behind them.
if (loaderConfig().locks.length === 0) beginMonitor();
