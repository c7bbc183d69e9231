import { readFileSync, writeFileSync } from 'node:fs';

const { COUNTS, ID } = process.env;
process.on('message', (message) => {
  if (message === 'end') process.exit(0);
  const path = message.own ? `${COUNTS}.${ID}` : COUNTS;
  const counts = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...counts, [message.page]: 1 }));
  process.send('counted');
});
process.send('there');
