/** Markup of which only what is written in the source is markup: every value is text, and is escaped. */
import { plainText } from '../plain.ts';

/** Markup that was made here. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type MarkupValue = string | number | Markup | readonly MarkupValue[] | null | false;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text, or the value of an attribute in quotes, without what turns the direction of writing. */
export const escaped = (text: string): string =>
  plainText(text.toWellFormed()).replace(/[&<>"']/g, (character) => ESCAPES[character]!);

function written(value: MarkupValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return value.map(written).join('');
}

/** A template of markup. */
export const markup = (parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup =>
  new Markup(parts.map((part, at) => part + written(values[at] ?? null)).join(''));

export const NOTHING = new Markup('');

/** A sentence of ours, in which `code` is marked. */
export const prose = (text: string): Markup =>
  new Markup(
    text
      .split(/(`[^`]+`)/)
      .map((part) => (/^`[^`]+`$/.test(part) ? `<code>${escaped(part.slice(1, -1))}</code>` : escaped(part)))
      .join(''),
  );
