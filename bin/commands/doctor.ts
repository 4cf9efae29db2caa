import { readConfig } from '@/lib/config';
import { defineCommand, json } from '../command';
import { enterDatabase } from '../database/enter';
import type { Check, Finding } from '../doctor/check';
import { checks } from '../doctor/checks';
import { invariantsText, lookAtInvariants } from '../doctor/invariants';
import { print } from '../terminal/print';
import { dim, green, red, yellow } from '../terminal/text';

export const command = defineCommand({
  options: {
    invariants: {
      type: 'boolean',
      says: 'Check the data instead: what has to hold of answers, leases, pay, jobs and files. Reads everything.',
    },
    json,
  },
  async run(values) {
    if (values.invariants) return lookAtData(values.json);
    const config = readConfig();
    const findings: (Finding & Pick<Check, 'name' | 'required' | 'for'>)[] = [];
    for (const check of checks) {
      const { name, required, for: purpose } = check;
      findings.push({ name, required, for: purpose, ...(await check.look(config)) });
    }
    print(values.json, findings, () =>
      findings
        .flatMap((found) => [
          `${mark(found)} ${found.name.padEnd(10)} ${found.says}${found.state === 'ok' ? '' : dim(`  (for ${found.for})`)}`,
          ...(found.mend ? [`    ${found.mend.replaceAll('\n', '\n    ')}`] : []),
        ])
        .join('\n'),
    );
    return findings.some(({ required, state }) => required && state === 'missing') ? 1 : 0;
  },
});

async function lookAtData(asJson: boolean | undefined): Promise<number> {
  await using entered = await enterDatabase();
  const outcomes = await lookAtInvariants(entered.db);
  print(asJson, outcomes, () => invariantsText(outcomes));
  return outcomes.every(({ violations }) => violations === 0) ? 0 : 1;
}

function mark({ state, required }: { state: string; required: boolean }): string {
  if (state === 'ok') return green('✓');
  return required ? red('✗') : yellow('–');
}
