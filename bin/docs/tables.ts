import { shortcutSections } from '@/lib/annotator';
import { type Variable, variables } from '@/lib/config/variables';
import { defaultRules, type Rule, rival10Rules, rules } from '@/lib/quality/rules';
import { commands } from '../commands';

/** A part of the docs that is made from a registry. */
export interface GeneratedTable {
  /** Stands in the marker: `<!-- table: variables -->`. */
  name: string;
  make(): Promise<string>;
}

const table = (heading: string[], rows: string[][]): string =>
  [heading, heading.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

function defaultOf({ schema, otherwise }: Variable): string {
  const value = schema.parse(undefined);
  return value === undefined ? (otherwise ?? '') : `\`${value}\``;
}

const variableTable: GeneratedTable = {
  name: 'variables',
  make: async () =>
    table(
      ['Variable', 'What it is', 'It must', 'When it is not given'],
      Object.entries<Variable>(variables).map(([name, variable]) => [
        `\`${name}\``,
        variable.says,
        variable.must,
        defaultOf(variable),
      ]),
    ),
};

const commandTable: GeneratedTable = {
  name: 'commands',
  async make() {
    const rows = [];
    for (const { name, summary, load } of commands) {
      const { usage, options } = (await load()).command;
      const names = Object.keys(options).map((option) => `\`--${option}\``);
      rows.push([`\`tessera ${[name, usage].filter(Boolean).join(' ')}\``, summary, names.join(' ')]);
    }
    return table(['Command', 'What it does', 'Options'], rows);
  },
};

/** One table for each place in which keys work. */
const shortcutTables: GeneratedTable = {
  name: 'shortcuts',
  make: async () =>
    shortcutSections({}, 'other')
      .map(({ title, rows }) =>
        [
          `### ${title}`,
          table(
            ['Keys', 'What they do'],
            rows.map(({ keys, description }) => [keys.map((key) => `\`${key}\``).join(' or '), description]),
          ),
        ].join('\n\n'),
      )
      .join('\n\n'),
};

const settingsOf = ({ params }: Rule): string =>
  Object.entries(params.parse({}))
    .map(([name, usual]) => `\`${name}\` ${typeof usual === 'number' ? Number(usual.toFixed(3)) : usual}`)
    .join(', ');

function presetsOf({ id }: Rule): string {
  const presets = { default: defaultRules, RIVAL10: rival10Rules };
  const having = Object.entries(presets).filter(([, preset]) => preset.some((rule) => rule.id === id));
  return having.map(([name]) => name).join(', ');
}

const ruleTable: GeneratedTable = {
  name: 'rules',
  make: async () =>
    table(
      ['Rule', 'What it looks at', 'Goes as far as', 'Settings', 'Preset', 'Source'],
      rules.map((rule) => [
        `${rule.title} (\`${rule.id}\`, version ${rule.version})`,
        rule.says,
        rule.atMost,
        settingsOf(rule),
        presetsOf(rule),
        rule.source,
      ]),
    ),
};

export const tables: readonly GeneratedTable[] = [variableTable, commandTable, shortcutTables, ruleTable];
