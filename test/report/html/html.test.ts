/** The page: what is in it, what it may do, and how it behaves in a real browser. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import type { Findings } from '../../../report/reporter-api.ts';
import type { BugView } from '../../../report/view.ts';
import { temporary } from '../../temporary.ts';
import { lostUpdate } from '../samples.ts';
import { launch, noBrowser } from './chromium.ts';
import { clean, everything, hostile, huge, pageOf, suite } from './pages.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('the policy comes first and allows the script and the style of the page, and nothing else', () => {
  const page = pageOf(everything);
  const [, policy] =
    /^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(
      page,
    )!;
  const [, script] = /<script>([\s\S]*?)<\/script>/.exec(page)!;
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page)!;
  assert.equal(
    policy,
    `default-src 'none'; script-src ${hashOf(script!)}; style-src ${hashOf(style!)}; base-uri 'none'; form-action 'none'`,
  );
  assert.doesNotMatch(page, /<[^>]+ (style|on\w+|src)=/, 'nothing inline, nothing fetched');
});

test('the first lines of a finding name the defect, the places and the fix; the lists are apart', () => {
  const page = pageOf(everything);
  const [, head] = /<summary>([\s\S]*?)<\/summary>/.exec(page)!;
  assert.match(
    head!,
    /lost update<\/b>: <code>alice<\/code> and <code>bob<\/code> both read <code>Account#balance<\/code>/,
  );
  assert.match(head!, /① <code>src\/bank\.ts:4:20<\/code>.*② <code>src\/bank\.ts:6:5<\/code>/);
  assert.match(head!, /Fix:<\/strong> keep ① to ③ atomic/);
  assert.deepEqual(
    Array.from(page.matchAll(/<h2 id="(\w+)">/g), ([, id]) => id),
    [...['race', 'timing', 'conditional', 'tests', 'looked', 'predictions', 'shared']],
  );
});

test('an order whose run was not recorded says so; one of threads, which was, does not', () => {
  const note = /of the accesses only their order is known/;
  const stored = { ...lostUpdate, failing: lostUpdate.failing.filter(({ kind }) => kind !== 'access') };
  const page = (view: BugView): string =>
    pageOf({
      ...everything,
      report: { ...everything.report, bugs: [view.bug] },
      views: { bugs: [view], tests: {} },
    });
  assert.match(page(stored), note);
  assert.doesNotMatch(page({ ...lostUpdate, threads: true }), note);
});

test('every prediction is there, whatever became of it', () => {
  const page = pageOf(everything);
  assert.match(page, /<small>5, confirmed or not<\/small>/);
  assert.match(
    page,
    /time-out<p class="dim">.*setTimeout 100 ms fires.*this timer was set and cleared.*not run by itself/,
  );
});

test('a suite of 200 tests is a page below 2 MB; a thousand findings are bounded, and that is said', () => {
  const page = pageOf(suite);
  assert.ok(Buffer.byteLength(page) < 2_000_000, `${Buffer.byteLength(page)}`);
  const large = pageOf(huge);
  assert.ok(Buffer.byteLength(large) < 12_000_000, `${Buffer.byteLength(large)}`);
  assert.equal(large.match(/<details class="f /g)?.length, 1000);
  assert.match(large, /Orders and sources are shown of the first findings only/);
  assert.match(large, /\d{5} steps folded/);
});

describe('in Chromium', { skip: noBrowser }, () => {
  const folder = temporary('unweave-html');
  let browser: Promise<Browser> | null = null;
  after(async () => {
    await (await browser)?.close();
    rmSync(folder, { recursive: true });
  });

  /** Opened from the disk; all that the browser complains of is collected. */
  async function open(findings: Findings, how: object = {}): Promise<{ page: Page; said: string[] }> {
    const file = join(folder, 'report.html');
    writeFileSync(file, pageOf(findings));
    const page = await (await (browser ??= launch())).newPage(how);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('request', (request) => {
      if (request.url() !== page.url() && !request.url().startsWith('file:')) said.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    return { page, said };
  }

  test('it filters, searches, folds, steps and copies, by keyboard, and breaks no rule of its policy', async () => {
    const { page, said } = await open(everything);
    const shown = () => page.locator('.f:visible').count();
    assert.equal(await shown(), 5);
    await page.keyboard.press('/');
    await page.keyboard.type('seat');
    assert.equal(await shown(), 2);
    assert.equal(await page.locator('#shown').textContent(), '2 of 5 findings shown');
    await page.fill('#search', '');
    await page.locator('button[data-list=timing]').focus();
    await page.keyboard.press('Enter');
    assert.equal(await shown(), 4);
    const first = page.locator('.f').first();
    await first.locator('.next').click();
    await first.locator('.next').click();
    assert.match((await first.locator('.where').textContent())!, /^2 of 6: bob: this\.balance/);
    assert.equal(await first.locator('.st.now').count(), 1);
    await first.locator('.copy').click();
    await first
      .locator('.copy')
      .filter({ hasText: /Copied|Selected/ })
      .waitFor();
    await page.locator('#open').click();
    assert.equal(await page.locator('.f[open]:visible').count(), 4);
    assert.deepEqual(said, []);
    await page.close();
  });

  test('a deep link opens its finding', async () => {
    const { page } = await open(everything);
    assert.equal(await page.locator('#bug-b9').getAttribute('open'), null);
    await page.evaluate("location.hash = '#bug-b9'");
    await page.locator('#bug-b9[open]').waitFor();
    await page.close();
  });

  test('without script everything can be read, and no control is shown that does nothing', async () => {
    const { page } = await open(everything, { javaScriptEnabled: false });
    await page.locator('#bug-b9 > summary').click();
    assert.ok(await page.getByText('Who waits for what').isVisible());
    assert.equal(await page.locator('button:visible, input:visible').count(), 0);
    await page.close();
  });

  test('no rule of accessibility is broken, in the light and in the dark, with findings and without', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const [findings, colorScheme] of [
      [everything, 'light'],
      [everything, 'dark'],
      [clean, 'light'],
    ] as const) {
      const { page } = await open(findings, { colorScheme, bypassCSP: true });
      await page.evaluate("for (const f of document.querySelectorAll('details')) f.open = true");
      await page.evaluate(axe);
      const found = (await page.evaluate(
        'axe.run().then(({ violations }) => violations.map((v) => v.id + " " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + " " + n.failureSummary)))',
      )) as string[];
      assert.deepEqual(found, [], colorScheme);
      await page.close();
    }
  });

  test('hostile names and messages are shown and run nothing', async () => {
    const { page, said } = await open(hostile);
    await page.evaluate("for (const f of document.querySelectorAll('details')) f.open = true");
    const is = (await page.evaluate(
      "({ ran: globalThis.ran, scripts: document.scripts.length, images: document.images.length, links: [...document.links].filter((a) => !a.getAttribute('href').startsWith('#')).length, styles: document.querySelectorAll('style').length, handlers: [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length })",
    )) as object;
    assert.deepEqual(is, { ran: undefined, scripts: 1, images: 0, links: 0, styles: 1, handlers: 0 });
    assert.ok(await page.getByText('<script>globalThis.ran = 1</script>').first().isVisible());
    assert.doesNotMatch((await page.locator('body').textContent())!, /[\u202a-\u202e\u2066-\u2069]/);
    assert.deepEqual(said, []);
    await page.close();
  });

  test('a thousand findings and an order of 100,000 events can be searched', async () => {
    const { page, said } = await open(huge);
    await page.fill('#search', 'b777');
    await page.locator('#bug-b777:visible').waitFor();
    assert.equal(await page.locator('.f:visible').count(), 1);
    assert.deepEqual(said, []);
    await page.close();
  });
});
