import { policy, scopes } from '@/lib/services/access';
import type { Endpoint } from './endpoint';

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The parts of docs/api.md that are made from code, by the name of their marker. */
export function referenceTables(endpoints: readonly Endpoint[]): Record<string, string> {
  return {
    endpoints: table(
      ['request', 'what it does', 'verb'],
      endpoints.map((entry) => [`\`${entry.method} ${entry.path}\``, entry.summary, verbOf(entry)]),
    ),
    scopes: table(
      ['scope', 'a key with it may'],
      scopes.map((scope) => [`\`${scope.id}\``, scope.says]),
    ),
    policy: table(
      ['verb', 'who', 'scope of a key', 'states of the project'],
      Object.entries(policy).map(([verb, rule]) => [
        `\`${verb}\``,
        rule.who.join(', '),
        rule.scope === null ? 'no key may' : `\`${rule.scope}\``,
        rule.on === 'instance' ? '' : rule.states.length === 5 ? 'all' : rule.states.join(', '),
      ]),
    ),
  };
}

function verbOf({ authorise }: Endpoint): string {
  if (authorise === 'public') return 'open to strangers';
  return `\`${typeof authorise === 'object' ? authorise.inQuery : authorise}\``;
}
