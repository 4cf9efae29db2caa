import { bold, columns, cyan, dim } from '../terminal';

export interface SignIn {
  role: string;
  name: string;
  email: string;
  password: string;
}

export interface BlockFacts {
  url: string;
  home: string;
  database: string;
  logFile: string;
  /** How to get in: the demo's people, or what to do without them. */
  entrance: string;
  isDevelopment: boolean;
}

/** All that a person needs to begin, in one block. */
export function startBlock(facts: BlockFacts): string {
  return [
    '',
    `${bold('Tessera is running')}${facts.isDevelopment ? ' (development)' : ''} at ${bold(cyan(facts.url))}`,
    '',
    facts.entrance,
    '',
    columns([
      [dim('Data'), facts.home],
      [dim('Database'), facts.database],
      [dim('Log'), facts.logFile],
      [dim('Stop'), 'Ctrl-C'],
    ]),
    '',
  ].join('\n');
}

export function signInTable(signIns: SignIn[]): string {
  const rows = signIns.map(({ role, name, email, password }) => [role, name, cyan(email), password]);
  return columns([['Sign in as', 'name', 'e-mail', 'password'].map(dim), ...rows]);
}

export const withoutDemo =
  'There is no demo workspace (TESSERA_DEMO=off). A first admin joins by a link: npx tessera users invite --admin';
