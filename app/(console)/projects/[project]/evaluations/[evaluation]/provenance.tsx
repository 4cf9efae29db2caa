import Link from 'next/link';
import { CopyField } from '@/app/_ui/copy-field';
import { DefinitionList } from '@/app/_ui/definition-list';
import { Panel } from '@/app/_ui/panel';
import { formatDuration, formatNumber } from '@/lib/core/format';
import { reasons } from '@/lib/core/robustness/types';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import type { EvaluationMetrics } from '@/lib/services/evaluations/run-evaluation';
import { ALL_SPLITS } from '@/lib/services/evaluations/select-images';

interface Props {
  evaluation: EvaluationView;
  metrics: EvaluationMetrics;
  /** Names of oracle models and the decoder, by id. */
  oracles: ReadonlyMap<string, string>;
  home: string;
  slug: string;
}

/** Maximum number of listed reasons. */
const SHOWN = 12;

/** Everything needed to reproduce the evaluation, and what was skipped. */
export function Provenance({ evaluation, metrics, oracles, home, slug }: Props) {
  const { options, modelId, model, modelSha256, version, versionId, versionHash, suite } = evaluation;
  const command = `npx tessera evaluate --project ${slug} --version ${versionHash.slice(0, 12)} --model ${modelId} --suite ${suite} --preset ${options.preset} --split ${options.split} --images ${options.images} --seed ${options.seed}${options.oracle.map((id) => ` --oracle ${id}`).join('')}${options.generator === 'search' ? '' : ` --generator ${options.generator}`}${options.crowd ? ` --crowd ${options.crowd}` : ''}`;
  return (
    <Panel title="Provenance">
      <DefinitionList
        items={[
          {
            term: 'Model',
            value: (
              <Link href={`${home}/models/${modelId}`} className="underline-offset-2 hover:underline">
                {model}
              </Link>
            ),
          },
          { term: 'Model sha256', value: <code className="break-all">{modelSha256}</code> },
          {
            term: 'Version',
            value: (
              <Link href={`${home}/data/${versionId}`} className="underline-offset-2 hover:underline">
                {version}
              </Link>
            ),
          },
          { term: 'Version hash', value: <code className="break-all">{versionHash}</code> },
          {
            term: 'Images',
            value: `${formatNumber(metrics.images)} of ${splitWords(metrics.split ?? options.split)}, seed ${options.seed}${metrics.unknown > 0 ? `; ${formatNumber(metrics.unknown)} of unknown classes were skipped` : ''}`,
          },
          ...(options.oracle.length > 0
            ? [
                { term: 'Oracle', value: options.oracle.map((id) => oracles.get(id) ?? id).join(', ') },
                { term: 'Generator', value: oracles.get(options.generator) ?? options.generator },
              ]
            : []),
          {
            term: 'Work',
            value: `${formatDuration(metrics.seconds)}; ${formatNumber(metrics.made)} new rows, the others were reused`,
          },
        ]}
      />
      {[...metrics.left.map(({ suite: name, why }) => `${name} was skipped. ${why}`), ...metrics.notes].map(
        (note) => (
          <p key={note} className="mt-2 text-xs text-ink-2">
            {note}
          </p>
        ),
      )}
      {metrics.skipped.length > 0 && (
        <ul className="mt-2 text-xs text-ink-2">
          {metrics.skipped.slice(0, SHOWN).map(({ variant, reason, count }) => (
            <li key={`${variant} ${reason}`}>
              {formatNumber(count)} × {variant}: {reasons[reason]}
            </li>
          ))}
          {metrics.skipped.length > SHOWN && <li>and {formatNumber(metrics.skipped.length - SHOWN)} more</li>}
        </ul>
      )}
      <div className="mt-3">
        <CopyField label="Command to reproduce" value={command} />
      </div>
    </Panel>
  );
}

const splitWords = (split: string): string => (split === ALL_SPLITS ? 'all splits' : `split ${split}`);
