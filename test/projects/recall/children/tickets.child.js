import Database from 'better-sqlite3';
import { work } from './begun.js';

await work(([file, clerk, way]) => {
  const office = new Database(file);
  const free = office.prepare('SELECT no FROM tickets WHERE clerk IS NULL ORDER BY no');
  const sold = [];
  for (const { no } of free.all()) {
    const condition = way === 'asked' ? ' AND clerk IS NULL' : '';
    const take = office.prepare(`UPDATE tickets SET clerk = ? WHERE no = ?${condition}`);
    if (take.run(clerk, no).changes === 1) sold.push(no);
  }
  office.close();
  return sold;
});
