/**
 * What the page can do beside being read: filter, fold, step through an order, copy a command. It only shows and hides what is
 * there, and makes no markup. Controls that need it are hidden where it does not run.
 */
export const SCRIPT = `
(() => {
  'use strict';
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector, from = document) => from.querySelector(selector);
  for (const element of all('.bar, .steps, .copy')) element.hidden = false;
  const findings = all('.f');
  const texts = new Map(findings.map((f) => [f, f.textContent.toLowerCase()]));
  const search = one('#search');
  const buttons = all('button[data-list]');
  const said = one('#shown');
  const filter = () => {
    const off = new Set(buttons.filter((b) => b.getAttribute('aria-pressed') === 'false').map((b) => b.dataset.list));
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const f of findings) {
      f.hidden = off.has(f.dataset.list) || !words.every((word) => texts.get(f).includes(word));
      if (!f.hidden) shown += 1;
    }
    for (const row of all('tbody tr[data-test]'))
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    said.textContent = shown + ' of ' + findings.length + ' findings shown';
  };
  if (search) {
    search.addEventListener('input', filter);
    for (const button of buttons)
      button.addEventListener('click', () => {
        button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') === 'false'));
        filter();
      });
    one('#open').addEventListener('click', () => {
      const folded = findings.some((f) => !f.hidden && !f.open);
      for (const f of findings) if (!f.hidden) f.open = folded;
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === '/' && document.activeElement !== search) {
        event.preventDefault();
        search.focus();
      }
    });
  }
  const go = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.classList.contains('f')) return;
    target.hidden = false;
    target.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', go);
  go();
  addEventListener('beforeprint', () => {
    for (const f of findings) if (!f.hidden) f.open = true;
  });
  for (const f of findings) {
    const steps = all('.st', f);
    const where = one('.where', f);
    if (!where) continue;
    let at = 0;
    const move = (by) => {
      at = Math.min(steps.length, Math.max(1, at + by));
      steps.forEach((step, n) => step.classList.toggle('now', n === at - 1));
      where.textContent = at + ' of ' + steps.length + ': ' + one('title', steps[at - 1]).textContent;
    };
    one('.prev', f).addEventListener('click', () => move(-1));
    one('.next', f).addEventListener('click', () => move(1));
  }
  for (const button of all('.copy'))
    button.addEventListener('click', async () => {
      const command = button.previousElementSibling;
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(command);
        button.textContent = 'Selected';
      }
    });
})();
`;
