/** Values of the small YAML that training tools use for a dataset: text, lists and maps of text, one level deep. */
export type YamlValue = string | string[] | Record<string, string>;

/** In characters: lists of names are never that long. */
const MAX_TEXT = 8 * 1024 * 1024;
const MAX_LINE = 200_000;

/** Reads `key: value`, `key: [a, b]`, `key: {0: a}` and indented lists and maps below a key; everything else is passed over. */
export function readYaml(source: string): Record<string, YamlValue> {
  const found: Record<string, YamlValue> = Object.create(null);
  let key: string | null = null;
  if (source.length > MAX_TEXT) throw new Error('a YAML file is larger than 8 MB');
  for (const raw of source.split(/\r?\n/)) {
    if (raw.length > MAX_LINE)
      throw new Error(`a YAML file has a line of more than ${MAX_LINE} characters`);
    const line = raw.replace(/(^|\s)#.*$/, '').trimEnd();
    if (line === '') continue;
    const item = /^\s*-\s+(.*)$/.exec(line);
    if (item && key !== null) {
      const list: string[] = Array.isArray(found[key]) ? (found[key] as string[]) : [];
      list.push(scalar(item[1] as string));
      found[key] = list;
      continue;
    }
    const pair = pairOf(line.trimStart());
    if (!pair) continue;
    const { name, rest } = pair;
    if (/^\S/.test(line)) {
      key = scalar(name);
      found[key] = readValue(rest);
    } else if (key !== null) {
      const known = found[key];
      const map: Record<string, string> =
        typeof known === 'object' && !Array.isArray(known) ? known : Object.create(null);
      map[scalar(name)] = scalar(rest);
      found[key] = map;
    }
  }
  return found;
}

/** A name, a colon, and a space or nothing; the name may be in quotes. */
function pairOf(text: string): { name: string; rest: string } | null {
  const quote = text[0] === '"' || text[0] === "'" ? text[0] : null;
  const end = quote === null ? 0 : text.indexOf(quote, 1) + 1;
  const colon = text.indexOf(':', end);
  if (colon < 1 || (quote !== null && (end === 0 || text.slice(end, colon).trim() !== ''))) return null;
  const rest = text.slice(colon + 1);
  return rest === '' || /^\s/.test(rest) ? { name: text.slice(0, colon), rest: rest.trim() } : null;
}

function readValue(text: string): YamlValue {
  const list = /^\[(.*)\]$/s.exec(text.trim());
  if (list) return pieces(list[1] as string).map(scalar);
  const map = /^\{(.*)\}$/s.exec(text.trim());
  if (!map) return scalar(text);
  return Object.fromEntries(
    pieces(map[1] as string).map((piece) => {
      const at = piece.indexOf(':');
      return [scalar(piece.slice(0, at)), scalar(piece.slice(at + 1))];
    }),
  );
}

/** Between commas that are not within quotes. */
const pieces = (text: string): string[] =>
  (text.match(/("[^"]*"|'[^']*'|[^,"'])+/g) ?? []).filter((piece) => piece.trim() !== '');

function scalar(given: string): string {
  const text = given.trim();
  if (/^".*"$/s.test(text)) {
    try {
      return String(JSON.parse(text));
    } catch {
      return text.slice(1, -1);
    }
  }
  return /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
}

/** Text in double quotes, which YAML reads as JSON does. */
export const yamlText = (text: string): string => JSON.stringify(text);
