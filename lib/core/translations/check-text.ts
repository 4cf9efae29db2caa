import type { SourceText } from './texts';

// Control characters, and those that turn the direction of what follows: they could make a text look like another.
const control = /(?![\n\t])[\p{Cc}\u2028\u2029]/u;
const directional = /[\u202a-\u202e\u2066-\u2069]/;

/** The text as it is stored: line ends of one kind, composed characters, nothing around it. */
export const cleanText = (text: string): string => text.replace(/\r\n?/g, '\n').normalize('NFC').trim();

/** What is wrong with a translation; null when it can be stored. Expects a clean text. */
export function textProblem(
  text: string,
  source: Pick<SourceText, 'key' | 'maxLength' | 'isMultiline'>,
): string | null {
  if (text === '') return null;
  if (text.length > source.maxLength) return `Shorten it to at most ${source.maxLength} characters.`;
  if (!text.isWellFormed() || control.test(text))
    return 'Remove the control characters. They can come from copying out of another program.';
  if (directional.test(text))
    return 'Remove the characters that change the writing direction (U+202A to U+202E, U+2066 to U+2069).';
  if (!source.isMultiline && text.includes('\n')) return 'Write it on one line.';
  if (source.key === 'consent/statement' && !mentionsAge(text))
    return 'State that the person is at least 18 years old, with the number 18.';
  return null;
}

/** The zeros of the digits that the languages of the worker pages are written with. */
const zeros = [0x0660, 0x06f0, 0x0966, 0xff10];

/** Whether the number 18 stands in the text, in the digits of any of our languages. */
export function mentionsAge(text: string): boolean {
  const plain = Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    const zero = zeros.find((each) => code >= each && code < each + 10);
    return zero === undefined ? char : String(code - zero);
  }).join('');
  return /(?<!\d)18(?!\d)/.test(plain) || plain.includes('十八');
}
