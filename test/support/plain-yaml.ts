export type Plain = string | null | Plain[] | { [name: string]: Plain };

interface Line {
  indent: number;
  text: string;
  number: number;
}

/**
 * The part of YAML that our compose file keeps to: maps and lists in block form, plain scalars, an anchor on a map and
 * an alias for it. Anything else is refused, so that what is read here is what YAML means.
 */
export function readPlainYaml(source: string): Plain {
  const lines = source.split('\n').flatMap((raw, at): Line[] => {
    const text = raw.trim();
    if (text === '' || text.startsWith('#')) return [];
    return [{ indent: raw.length - raw.trimStart().length, text, number: at + 1 }];
  });
  const anchors = new Map<string, Plain>();
  let next = 0;

  const fail = (line: Line, says: string): never => {
    throw new Error(`Line ${line.number}: ${says}: ${line.text}`);
  };

  const scalar = (line: Line, text: string): Plain => {
    if (text.startsWith('*')) {
      const known = anchors.get(text.slice(1));
      return known === undefined ? fail(line, 'no such anchor') : known;
    }
    if (/^['"[{|>&!%@`]/.test(text) || / #|: |:$/.test(text)) fail(line, 'not a plain scalar');
    return text;
  };

  const block = (indent: number): Plain => {
    const first = lines[next] as Line;
    if (first.text.startsWith('- ')) {
      const list: Plain[] = [];
      for (let line = lines[next]; line?.indent === indent; line = lines[next]) {
        if (!line.text.startsWith('- ')) fail(line, 'a list was begun');
        next += 1;
        list.push(scalar(line, line.text.slice(2)));
      }
      return list;
    }
    const map: { [name: string]: Plain } = {};
    for (let line = lines[next]; line?.indent === indent; line = lines[next]) {
      const [, name = '', rest = ''] = /^([\w-]+):(?:\s+(.*))?$/.exec(line.text) ?? fail(line, 'not a key');
      if (name in map) fail(line, 'a key twice');
      next += 1;
      const deeper = lines[next];
      const isBlock = (rest === '' || rest.startsWith('&')) && deeper !== undefined && deeper.indent > indent;
      const value = isBlock ? block(deeper.indent) : rest === '' ? null : scalar(line, rest);
      if (rest.startsWith('&')) anchors.set(rest.slice(1), value);
      map[name] = value;
    }
    const after = lines[next];
    if (after && after.indent > indent) fail(after, 'indented too far');
    return map;
  };
  return block(0);
}
