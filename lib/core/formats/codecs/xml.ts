/** What a small XML reader meets, in order. */
export type XmlEvent =
  | { kind: 'open'; name: string; attributes: Readonly<Record<string, string>> }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

/** Label files are flat; deeper ones were made to exhaust a reader. */
const MAX_DEPTH = 64;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Elements, attributes and text; no DOCTYPE, hence no entities but the five: nothing can grow or be fetched. */
export function* readXml(source: string): Generator<XmlEvent> {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const open: string[] = [];
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next < 0 ? text.length : next;
    if (end > at) {
      const piece = decode(text.slice(at, end));
      if (open.length > 0) yield { kind: 'text', text: piece };
      else if (piece.trim() !== '') throw new Error('XML: text outside of the root element');
    }
    if (next < 0) break;
    if (text.startsWith('<!--', next)) at = after(text, '-->', next + 4);
    else if (text.startsWith('<![CDATA[', next)) {
      at = after(text, ']]>', next + 9);
      yield { kind: 'text', text: text.slice(next + 9, at - 3) };
    } else if (text.startsWith('<?', next)) at = after(text, '?>', next + 2);
    else if (text.startsWith('<!', next)) throw new Error('XML: a DOCTYPE is not read; remove it');
    else {
      at = tagEnd(text, next);
      yield* tag(text.slice(next + 1, at - 1), open);
    }
  }
  if (open.length > 0) throw new Error(`XML: <${open.at(-1)}> is never closed`);
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found < 0) throw new Error(`XML: "${mark}" is missing`);
  return found + mark.length;
}

/** A ">" within quotes is part of a value. */
function tagEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const letter = text[at];
    if (letter === '>') return at + 1;
    if (letter === '"' || letter === "'") {
      at = text.indexOf(letter, at + 1);
      if (at < 0) break;
    }
  }
  throw new Error('XML: a tag is cut off');
}

function* tag(inside: string, open: string[]): Generator<XmlEvent> {
  if (inside.startsWith('/')) {
    const name = inside.slice(1).trim();
    if (open.pop() !== name) throw new Error(`XML: </${name.slice(0, 40)}> closes nothing`);
    yield { kind: 'close', name };
    return;
  }
  const isEmpty = inside.endsWith('/');
  const body = isEmpty ? inside.slice(0, -1) : inside;
  const name = /^[^\s/=<"']+/.exec(body)?.[0];
  if (!name) throw new Error('XML: a tag without a name');
  yield { kind: 'open', name, attributes: attributesOf(body.slice(name.length), name) };
  if (isEmpty) yield { kind: 'close', name };
  else if (open.push(name) > MAX_DEPTH)
    throw new Error(`XML: more than ${MAX_DEPTH} elements within each other`);
}

const ATTRIBUTE = /\s*([^\s=<"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;

function attributesOf(text: string, name: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  ATTRIBUTE.lastIndex = 0;
  let read = 0;
  for (let found = ATTRIBUTE.exec(text); found; found = ATTRIBUTE.exec(text)) {
    attributes[found[1] as string] = decode(found[2] ?? found[3] ?? '');
    read = ATTRIBUTE.lastIndex;
  }
  if (text.slice(read).trim() !== '') throw new Error(`XML: the attributes of <${name}> cannot be read`);
  return attributes;
}

const decode = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[^;&\s]{0,20});?/gi, (whole, name: string) => {
        if (name.startsWith('#')) return character(Number(name.replace(/^#x/i, '0x').replace('#', '')));
        const known = ENTITIES[name];
        if (known === undefined || !whole.endsWith(';'))
          throw new Error(`XML: "${whole}" is no entity that is known`);
        return known;
      })
    : text;

function character(code: number): string {
  if (!(code > 0 && code <= 0x10ffff) || (code >= 0xd800 && code < 0xe000))
    throw new Error(`XML: ${code} is no character`);
  return String.fromCodePoint(code);
}

/** Text or a value in double quotes; line ends and tabs survive in both. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"'\t\n\r]/g, (letter) => ESCAPES[letter] ?? `&#${letter.charCodeAt(0)};`);

const ESCAPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ENTITIES).map(([name, letter]) => [letter, `&${name};`]),
);
