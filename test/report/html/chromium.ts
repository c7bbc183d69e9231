/** A real browser for the pages, where the machine has one; started once for all tests of a file. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env['CHROMIUM'] ?? PLACES.find((place) => existsSync(place));

/** Why there is none; false: there is one. */
export const noBrowser: string | false =
  executablePath === undefined ? 'no Chromium here: set CHROMIUM to one' : false;

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox', '--disable-gpu'] });
