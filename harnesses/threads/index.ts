/** `unweave/threads`: what programs of threads tell Unweave. */
export {
  acquire,
  acquireShared,
  arrive,
  leave,
  nameShared,
  type Place,
  receive,
  release,
  releaseShared,
  send,
  transaction,
} from '../../monitor/threads/annotate.ts';
