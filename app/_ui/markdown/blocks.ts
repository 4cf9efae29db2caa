export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | { kind: 'quote'; text: string }
  | { kind: 'code'; text: string };

const heading = /^(#{1,4})\s+(\S.*)$/;
const bullet = /^[-*+]\s+(\S.*)$/;
const numbered = /^\d{1,4}[.)]\s+(\S.*)$/;
const quote = /^>\s?(.*)$/;
const fence = /^```/;

const startsBlock = (line: string) =>
  [heading, bullet, numbered, quote, fence].some((form) => form.test(line));

/** Takes lines from `start` while `take` gives text, and returns them with the line after. */
function gather(lines: string[], start: number, take: (line: string) => string | undefined) {
  const texts: string[] = [];
  let at = start;
  for (; at < lines.length; at += 1) {
    const text = take(lines[at] ?? '');
    if (text === undefined) break;
    texts.push(text);
  }
  return { texts, next: at };
}

const captured = (form: RegExp) => (line: string) => form.exec(line)?.[1];

function gatherItems(lines: string[], start: number, form: RegExp) {
  const items: string[] = [];
  let at = start;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const text = form.exec(line)?.[1];
    const continues = /^\s{2,}\S/.test(line) && items.length > 0;
    if (text !== undefined) items.push(text);
    else if (continues) items.push(`${items.pop()} ${line.trim()}`);
    else break;
  }
  return { items, next: at };
}

/** Splits a text into blocks. What is none of the known forms is a paragraph, never markup. */
export function parseBlocks(source: string): Block[] {
  const lines = source.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const [, marks, title] = heading.exec(line) ?? [];
    if (line.trim() === '') at += 1;
    else if (marks && title) {
      blocks.push({ kind: 'heading', level: marks.length, text: title });
      at += 1;
    } else if (fence.test(line)) {
      const { texts, next } = gather(lines, at + 1, (each) => (fence.test(each) ? undefined : each));
      blocks.push({ kind: 'code', text: texts.join('\n') });
      at = next + 1;
    } else if (bullet.test(line) || numbered.test(line)) {
      const ordered = numbered.test(line);
      const { items, next } = gatherItems(lines, at, ordered ? numbered : bullet);
      blocks.push({ kind: 'list', ordered, items });
      at = next;
    } else if (quote.test(line)) {
      const { texts, next } = gather(lines, at, captured(quote));
      blocks.push({ kind: 'quote', text: texts.join(' ') });
      at = next;
    } else {
      const { texts, next } = gather(lines, at + 1, (each) =>
        each.trim() === '' || startsBlock(each) ? undefined : each,
      );
      blocks.push({ kind: 'paragraph', text: [line, ...texts].join(' ') });
      at = next;
    }
  }
  return blocks;
}
