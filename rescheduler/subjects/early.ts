/** To be imported before all else: what is found by walking the heap is found while the heap is small. */
import { readInnards } from '../../monitor/host/innards.ts';

readInnards();
