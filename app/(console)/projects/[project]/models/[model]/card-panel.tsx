import Link from 'next/link';
import { DefinitionList } from '@/app/_ui/definition-list';
import { Panel } from '@/app/_ui/panel';
import { formatNumber } from '@/lib/core/format';
import { beyondTolerance } from '@/lib/services/training/check-export';
import type { ModelView } from '@/lib/services/training/models';
import type { RunView } from '@/lib/services/training/runs/list-runs';
import type { Contract } from '../read-contract';

interface Props {
  model: ModelView;
  contract: Contract;
  run: RunView | null;
  home: string;
}

const Hash = ({ children }: { children: string }) => (
  <span className="font-mono text-xs break-all select-all">{children}</span>
);

function initWords(init: Contract['init']): string {
  if (init === null) return 'Not stated.';
  if (typeof init === 'string') return init === 'random' ? 'random: no other data has formed it' : init;
  return `${init.path}, sha256 ${init.sha256.replace('sha256:', '')}`;
}

/** 3.1e-7 → "3.1e−7": how far apart two ways to compute the same thing are. */
const apart = (value: unknown): string =>
  typeof value === 'number' ? value.toExponential(1).replace('e-', 'e−').replace('e+', 'e') : '–';

/** Where the model comes from, and whether the files compute what was trained. */
export function CardPanel({ model, contract, run, home }: Props) {
  const { lineage } = contract;
  const exported = Object.entries(contract.check ?? {});
  const wrong = beyondTolerance(contract.check ?? {});
  const traced = (run?.result?.check as { gradientGraphAgainstAutograd?: number } | null | undefined)
    ?.gradientGraphAgainstAutograd;
  return (
    <Panel title="Card">
      <DefinitionList
        items={[
          { term: 'First weights', value: initWords(contract.init) },
          { term: 'Parameters', value: formatNumber(contract.parameters) },
          {
            term: 'Run',
            value: model.runId ? (
              <Link href={`${home}/runs/${model.runId}`} className="underline underline-offset-2">
                {model.run}
              </Link>
            ) : (
              'None: it was uploaded.'
            ),
          },
          ...(model.version !== null
            ? [
                {
                  term: 'Trained on',
                  value: (
                    <Link href={`${home}/data/${model.version}`} className="underline underline-offset-2">
                      version {model.version}
                    </Link>
                  ),
                },
              ]
            : []),
          ...(lineage?.version
            ? [{ term: 'Hash of the version', value: <Hash>{lineage.version}</Hash> }]
            : []),
          ...(contract.snapshot
            ? [{ term: 'Snapshot', value: <Hash>{contract.snapshot.replace('sha256:', '')}</Hash> }]
            : []),
          ...(contract.torch ? [{ term: 'Made with', value: `PyTorch ${contract.torch}` }] : []),
          ...(exported.length > 0
            ? [
                {
                  term: wrong.length === 0 ? 'Equal to PyTorch' : 'Not equal to PyTorch',
                  value: `greatest difference ${exported.map(([name, value]) => `${name} ${apart(value)}`).join(', ')}${wrong.length === 0 ? '' : `. ${wrong.join(', ')}: more than rounding. The files do not compute what was trained; train it anew.`}`,
                },
              ]
            : []),
          ...(traced === undefined
            ? []
            : [{ term: 'Gradient graph', value: `${apart(traced)} from autograd, at most` }]),
        ]}
      />
    </Panel>
  );
}
