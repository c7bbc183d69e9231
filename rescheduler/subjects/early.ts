/** To be imported before all else: what is found by walking the heap is found while the heap is small. */
import { readNodeInternals } from '../../monitor/host/node-internals.ts';

readNodeInternals();
