import { readConfig } from '@/lib/config';
import { defineCommand, json } from '../command';
import type { Check, Finding } from '../doctor/check';
import { checks } from '../doctor/checks';
import { print } from '../terminal/print';
import { dim, green, red, yellow } from '../terminal/text';

export const command = defineCommand({
  options: { json },
  async run(values) {
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

function mark({ state, required }: { state: string; required: boolean }): string {
  if (state === 'ok') return green('✓');
  return required ? red('✗') : yellow('–');
}
