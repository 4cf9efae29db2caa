import { createTranslator } from 'next-intl';
import { type Variable, variables } from '@/lib/config/variables';
import { editorText, keyText, shortcutSections, type Translate } from '@/lib/core/editor';
import { formats } from '@/lib/core/formats';
import { derivedRules } from '@/lib/core/formats/derive';
import type { FormatOption } from '@/lib/core/formats/format';
import { commonOptions } from '@/lib/core/formats/options';
import { defaultRules, type Rule, rival10Rules, rules } from '@/lib/core/quality/rules';
import { warnings } from '@/lib/core/quality/warnings';
import { type Preset, type Setting, type Suite, suites } from '@/lib/core/robustness/suites';
import { reasons } from '@/lib/core/robustness/types';
import { localisedAttributes } from '@/lib/core/schema';
import { schemaPresets } from '@/lib/core/schema/presets';
import { labelChecks } from '@/lib/core/statistics';
import { trainingPresets } from '@/lib/core/training-spec';
import { type AuditShortcut, auditShortcuts } from '@/lib/services/curation/audit/shortcuts';
import {
  defaultMethod,
  measured,
  measuredOverlaps,
  methodsFor,
} from '@/lib/services/curation/consensus/methods';
import { measuredRates } from '@/lib/services/training/report/estimate-time';
import messages from '@/messages/en.json';
import { cases } from '@/test/core/formats/conformance/cases';
import conformance from '@/test/core/formats/conformance/results.json';
import { commands } from '../commands';
import { dependencyTables } from './dependencies';

/** A table in the documentation that is generated from a registry. */
export interface GeneratedTable {
  /** Name in the marker: `<!-- table: variables -->`. */
  name: string;
  make(): Promise<string>;
}

const table = (heading: string[], rows: string[][]): string =>
  [heading, heading.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

function defaultOf({ schema, whenUnset }: Variable): string {
  const value = schema.parse(undefined);
  return value === undefined ? (whenUnset ?? '') : `\`${value}\``;
}

const variableTable: GeneratedTable = {
  name: 'variables',
  make: async () =>
    table(
      ['Variable', 'Description', 'Must', 'Default'],
      Object.entries<Variable>(variables).map(([name, variable]) => [
        `\`${name}\``,
        variable.description,
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
    return table(['Command', 'Description', 'Options'], rows);
  },
};

/** The texts of the workspace are in the catalogues. The documentation takes the English ones. */
const english = createTranslator({ locale: 'en', messages, namespace: 'canvas' }) as unknown as Translate;

/** One table for each scope of shortcuts. */
const shortcutTables: GeneratedTable = {
  name: 'shortcuts',
  make: async () =>
    shortcutSections({}, 'other')
      .map(({ scope, rows }) =>
        [
          `### ${english(`scopes.${scope}`)}`,
          table(
            ['Keys', 'Action'],
            rows.map(({ keys, text, isHeld }) => {
              const action = editorText(english, text);
              return [
                keys.map((key) => `\`${key}\``).join(' or '),
                isHeld ? english('sheet.hold', { action }) : action,
              ];
            }),
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
      ['Rule', 'Criterion', 'Strongest measure', 'Settings', 'Preset', 'Source'],
      rules.map((rule) => [
        `${rule.title} (\`${rule.id}\`, version ${rule.version})`,
        rule.description,
        rule.atMost,
        settingsOf(rule),
        presetsOf(rule),
        rule.source,
      ]),
    ),
};

const warningTable: GeneratedTable = {
  name: 'warnings',
  make: async () =>
    table(
      ['Warning', 'Meaning', 'Odds of error ×'],
      warnings.map(({ id, title, description, odds }) => [`${title} (\`${id}\`)`, description, String(odds)]),
    ),
};

const places = { label: 'one label', grid: 'grid', sample: 'sample' };

const auditKeyTable: GeneratedTable = {
  name: 'audit-keys',
  make: async () =>
    table(
      ['Keys', 'Action', 'Where'],
      auditShortcuts.map(({ keys, description, held, scopes }: AuditShortcut) => [
        keys.map((key) => `\`${keyText(key, 'other')}\``).join(' or '),
        held ? `${description} (hold)` : description,
        scopes.map((scope) => places[scope]).join(', '),
      ]),
    ),
};

/** Lists every consensus method with its result on simulated crowds; the default of each overlap is in bold. */
const methodTable = (kind: 'attributes' | 'object-mask', name: string): GeneratedTable => ({
  name,
  make: async () =>
    table(
      ['Method', 'Source', ...measuredOverlaps.map((overlap) => `Overlap ${overlap}`)],
      methodsFor(kind).map((method) => [
        method.name,
        method.citation,
        ...measuredOverlaps.map((overlap, column) => {
          const error = measured[method.id]?.[column] ?? 1;
          const figure = kind === 'attributes' ? `${(100 * error).toFixed(2)} %` : (1 - error).toFixed(3);
          return defaultMethod(kind, overlap).method === method ? `**${figure}**` : figure;
        }),
      ]),
    ),
});

const presetTable: GeneratedTable = {
  name: 'presets',
  make: async () =>
    table(
      ['Preset', 'Classes', 'Attributes', 'Localised', 'Parts', 'Source'],
      schemaPresets.map((preset) => [
        `${preset.name} (\`${preset.id}\`)`,
        String(preset.classes.length),
        String(preset.attributes.length),
        String(localisedAttributes(preset).length),
        String(preset.parts.length),
        preset.citation ?? '',
      ]),
    ),
};

const formatTable: GeneratedTable = {
  name: 'formats',
  make: async () =>
    table(
      ['Format', 'Id', 'Content', 'Kind', 'Import'],
      formats.map(({ id, name, summary, kind, reader }) => [
        name,
        `\`${id}\``,
        summary,
        kind,
        reader ? 'yes' : 'no',
      ]),
    ),
};

const valuesOf = (option: FormatOption): string => {
  if (option.kind === 'flag') return '`true`, `false`';
  if (option.kind === 'number') return `${option.isWhole ? 'whole, ' : ''}${option.min} to ${option.max}`;
  return option.values.map(({ value, description }) => `\`${value}\`: ${description}`).join(' ');
};

const optionRow = (option: FormatOption): string[] => [
  `\`${option.name}\``,
  option.description,
  valuesOf(option),
  `\`${option.defaultValue}\``,
];

const optionHeading = ['Option', 'Description', 'Values', 'Default'];

const commonOptionTable: GeneratedTable = {
  name: 'format-common-options',
  make: async () => table(optionHeading, commonOptions.map(optionRow)),
};

const formatOptionTable: GeneratedTable = {
  name: 'format-options',
  make: async () =>
    table(
      ['Format', ...optionHeading],
      formats.flatMap(({ id, options }) => options.map((option) => [`\`${id}\``, ...optionRow(option)])),
    ),
};

const setting: Setting = {
  preset: 'quick',
  seed: 0,
  classes: ['one', 'other'],
  attributes: ['attribute'],
  marked: ['attribute'],
  side: 64,
  offers: { gradient: true, oracle: true, features: true },
};

const suitesTable: GeneratedTable = {
  name: 'suites',
  make: async () =>
    table(
      ['Suite', 'Id', 'Question', 'Model runs per image, quick', 'paper'],
      suites.map((suite) => [
        suite.name,
        `\`${suite.id}\``,
        suite.description,
        runsOf(suite, 'quick'),
        runsOf(suite, 'paper'),
      ]),
    ),
};

function runsOf(suite: Suite, preset: Preset): string {
  const planned = suite.variants({ ...setting, preset });
  const runs = planned.reduce((sum, { runs: each, cells }) => sum + each * cells.length, 0);
  const [most] = planned.map((variant) => variant.maxImages);
  const images = most !== undefined && Number.isFinite(most) ? `, on at most ${most} images` : '';
  return `${runs > 500 ? 'at most ' : ''}${runs}${images}`;
}

const reasonsTable: GeneratedTable = {
  name: 'skip-reasons',
  make: async () =>
    table(
      ['Reason', 'Meaning'],
      Object.entries(reasons).map(([id, reason]) => [`\`${id}\``, reason]),
    ),
};

const derivedTable: GeneratedTable = {
  name: 'derived-labels',
  make: async () =>
    table(
      ['Labels', 'Option', 'Rule'],
      derivedRules.map(({ name, chosenBy, rule }) => [name, `\`${chosenBy}\``, rule]),
    ),
};

/** What public loaders see of exports, from the results that the conformance suite asserts. */
const conformanceTable: GeneratedTable = {
  name: 'conformance',
  async make() {
    const notes: string[] = [];
    const noteOf = (loss: string): string => {
      const text = loss.replace(/^\d+ (\w)/, (_, letter: string) => letter.toUpperCase());
      if (!notes.includes(text)) notes.push(text);
      return `loss ${notes.indexOf(text) + 1}`;
    };
    const rows = Object.entries(
      conformance as Record<string, { loaders: string; cases: Record<string, string> }>,
    ).map(([id, { loaders, cases: found }]) => [
      `\`${id}\``,
      loaders,
      ...cases.map((entry) => (found[entry.id] === 'exact' ? 'exact' : noteOf(found[entry.id] ?? ''))),
    ]);
    const grid = table(['Format', 'Reader follows', ...cases.map(({ name }) => name)], rows);
    return `${grid}\n\n${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}`;
  },
};

const lookTable: GeneratedTable = {
  name: 'looks',
  make: async () =>
    table(
      ['Finding', 'Kind', 'Definition'],
      labelChecks.map(({ id, kind, title, description }) => [`${title} (\`${id}\`)`, kind, description]),
    ),
};

const trainingPresetTable: GeneratedTable = {
  name: 'training-presets',
  make: async () =>
    table(
      [
        'Preset',
        'Id',
        'Backbone',
        'Side',
        'Epochs (clean + adversarial)',
        'Batch',
        'Hardware',
        'Description',
      ],
      trainingPresets.map(({ id, title, description, needsGpu, archs, make }) => {
        const spec = make({ arch: archs[0] ?? 'baseline', method: 'pgd', id, snapshot: '', seed: 0 });
        return [
          title,
          `\`${id}\``,
          spec.model.backbone,
          `${spec.data.size} px`,
          spec.stages.map(({ epochs }) => epochs).join(' + '),
          String(spec.train.batchSize),
          needsGpu ? `${spec.resources.gpus} GPUs` : 'CPU',
          description,
        ];
      }),
    ),
};

const trainingRateTable: GeneratedTable = {
  name: 'training-rates',
  make: async () =>
    table(
      ['Backbone', 'Side', 'Images/s, clean', 'Images/s, attack of ten steps'],
      Object.entries(measuredRates).map(([backbone, { clean, adversarial, size }]) => [
        backbone,
        `${size} px`,
        String(clean),
        String(adversarial),
      ]),
    ),
};

export const tables: readonly GeneratedTable[] = [
  ...dependencyTables,
  variableTable,
  commandTable,
  shortcutTables,
  ruleTable,
  presetTable,
  warningTable,
  auditKeyTable,
  methodTable('attributes', 'consensus-methods'),
  methodTable('object-mask', 'consensus-mask-methods'),
  formatTable,
  commonOptionTable,
  formatOptionTable,
  suitesTable,
  reasonsTable,
  conformanceTable,
  derivedTable,
  lookTable,
  trainingPresetTable,
  trainingRateTable,
];
