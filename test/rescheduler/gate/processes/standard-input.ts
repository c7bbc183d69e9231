/** A run that reads standard input, and what makes its failures doubtful. */
import { once } from 'node:events';
import { gated } from '../support.ts';

const { value, doubts } = await gated(async () => {
  const [chunk] = await once(process.stdin, 'data');
  return String(chunk);
});
console.log(value, doubts.join());
process.exit(0);
