/** A text of SQL as the statements that it is made of: each may wait for somebody else, and has what came before it done. */

/** A string, a name, a comment, or what ends a statement. */
const TOKENS = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;/g;
/** Its body has statements of its own. */
const TRIGGER = /\btrigger\b/i;

/** Null where it cannot be told where they end. */
export function partsOf(sql: string): readonly string[] | null {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: token, index } of sql.matchAll(TOKENS)) {
    if (token !== ';') continue;
    parts.push(sql.slice(from, index + 1));
    from = index + 1;
  }
  const rest = sql.slice(from);
  if (parts.length === 0 || rest.replace(TOKENS, '').trim() !== '') parts.push(rest);
  if (parts.length > 1 && TRIGGER.test(sql)) return null;
  return parts;
}
