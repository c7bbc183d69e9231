/** A test in which the last of two writes wins, checked by what does not throw. */
export const lastWins = (check: string, head = ''): string => `${head}
const { readFile } = require('node:fs/promises');
test('the last one wins', async () => {
  let last;
  const read = () => readFile('package.json');
  const one = async () => { await read(); last = 'one'; };
  const two = async () => { await read(); await read(); last = 'two'; };
  await Promise.all([one(), two()]);
  ${check}
});
`;
