const accents: Record<string, string> = {
  a: 'å',
  c: 'ç',
  e: 'é',
  i: 'î',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  u: 'ü',
  y: 'ý',
  A: 'Å',
  C: 'Ç',
  E: 'É',
  I: 'Î',
  O: 'Ö',
  S: 'Š',
  U: 'Û',
};

/**
 * Lengthens and accents the text of an ICU message, about as much as German or Portuguese are longer. Text is at even
 * depths of braces, syntax at odd ones: `{count, plural, one {# item} other {# items}}`.
 */
export function pseudoText(message: string): string {
  let depth = 0;
  let isTag = false;
  let text = '';
  for (const char of message) {
    if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === '<') isTag = true;
    const isText = depth % 2 === 0 && !isTag;
    text += isText && accents[char] ? accents[char] + (/[aeiou]/.test(char) ? accents[char] : '') : char;
    if (char === '>') isTag = false;
  }
  return text;
}

export type Catalogue = { [key: string]: string | Catalogue };

export const pseudoCatalogue = (catalogue: Catalogue): Catalogue =>
  Object.fromEntries(
    Object.entries(catalogue).map(([key, value]) => [
      key,
      typeof value === 'string' ? pseudoText(value) : pseudoCatalogue(value),
    ]),
  );
