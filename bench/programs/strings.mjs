// Text: split, count, join, replace.
const WORDS = 'the quick brown fox jumps over the lazy dog while many bodies wait for their turn'.split(' ');

function text(length, seed) {
  const parts = [];
  for (let i = 0; i < length; i++) parts.push(WORDS[(i * 7 + seed) % WORDS.length]);
  return parts.join(' ');
}

function count(input) {
  const counts = new Map();
  for (const word of input.toLowerCase().split(/\s+/)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

export async function run(work) {
  let total = 0;
  for (let i = 0; i < work * 40; i++) {
    const input = text(2000, i);
    const shouted = input.replace(/o\w+/g, (match) => match.toUpperCase());
    total += count(shouted).size + JSON.stringify({ input }).length;
  }
  if (total === 0) throw new Error('nothing was counted');
}
