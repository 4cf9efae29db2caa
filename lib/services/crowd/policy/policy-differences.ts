type Values = Readonly<Record<string, unknown>>;

export interface PolicyDifference {
  /** "pay.mask" */
  path: string;
  from: unknown;
  to: unknown;
}

const isGroup = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** Every number, word and switch in which two policies differ. */
export function policyDifferences(before: Values, after: Values, inside = ''): PolicyDifference[] {
  return Object.entries(after).flatMap(([name, to]) => {
    const from = before[name];
    const path = `${inside}${name}`;
    if (isGroup(to) && isGroup(from)) return policyDifferences(from, to, `${path}.`);
    return from === to ? [] : [{ path, from, to }];
  });
}
