import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import type { ModelView } from '@/lib/services/training/models';
import { cleanTest, testsOf } from '@/lib/services/training/report/curves-of';
import { Accuracy, Adversarial } from '../runs/run-table';
import { readContract } from './read-contract';
import { StateButtons } from './state-buttons';

interface Props {
  caption: string;
  models: ModelView[];
  /** Address of the project. */
  home: string;
  slug: string;
  mayChange: boolean;
}

export function ModelTable({ caption, models, home, slug, mayChange }: Props) {
  return (
    <SmallTable
      caption={caption}
      rows={models}
      rowKey={({ id }) => id}
      empty={null}
      columns={[
        {
          key: 'name',
          title: 'Model',
          cell: ({ id, name }) => <ModelLink href={`${home}/models/${id}`} name={name} />,
        },
        { key: 'state', title: 'State', cell: ({ state }) => <State state={state} /> },
        {
          key: 'run',
          title: 'Run',
          cell: ({ runId, run, name }) =>
            runId ? (
              <Link
                href={`${home}/runs/${runId}`}
                className={cn('underline underline-offset-2', run === name && 'whitespace-nowrap')}
              >
                {run === name ? 'its run' : run}
              </Link>
            ) : (
              'uploaded'
            ),
        },
        { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => version ?? '–' },
        {
          key: 'parameters',
          title: 'Parameters',
          numeric: true,
          cell: ({ contract }) => formatNumber(readContract(contract).parameters),
        },
        {
          key: 'clean',
          title: 'Clean, 95 %',
          numeric: true,
          cell: (model) => <Accuracy of={cleanTest(testsOf({ metrics: model.contract.metrics }))} />,
        },
        {
          key: 'adversarial',
          title: 'Adversarial, 95 %',
          numeric: true,
          cell: (model) => <Adversarial result={{ metrics: model.contract.metrics }} />,
        },
        {
          key: 'at',
          title: 'When, UTC',
          className: 'whitespace-nowrap tabular-nums',
          cell: ({ at, by }) => (
            <>
              {formatDateTime(at)}
              {by && <span className="block text-xs text-ink-3">{by}</span>}
            </>
          ),
        },
        ...(mayChange
          ? [
              {
                key: 'act',
                title: 'Actions',
                untitled: true,
                cell: ({ id, state, kind }: ModelView) => (
                  <StateButtons key={state} slug={slug} modelId={id} state={state} kind={kind} />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

interface HelperTableProps {
  models: ModelView[];
  /** Address of the project. */
  home: string;
  slug: string;
  mayChange: boolean;
}

/** Oracles and decoders. */
export function HelperTable({ models, home, slug, mayChange }: HelperTableProps) {
  return (
    <SmallTable
      caption="Oracles and decoders"
      rows={models}
      rowKey={({ id }) => id}
      empty={null}
      columns={[
        {
          key: 'name',
          title: 'Model',
          cell: ({ id, name }) => <ModelLink href={`${home}/models/${id}`} name={name} />,
        },
        { key: 'kind', title: 'Kind', cell: ({ kind }) => kind },
        {
          key: 'size',
          title: 'Pixels',
          numeric: true,
          cell: ({ contract }) => readContract(contract).input?.width ?? '–',
        },
        {
          key: 'classes',
          title: 'Classes',
          numeric: true,
          cell: ({ contract }) => readContract(contract).classes.length || '–',
        },
        {
          key: 'parameters',
          title: 'Parameters',
          numeric: true,
          cell: ({ contract }) => formatNumber(readContract(contract).parameters),
        },
        { key: 'by', title: 'By', className: 'whitespace-nowrap', cell: ({ by }) => by ?? '–' },
        {
          key: 'at',
          title: 'When, UTC',
          className: 'whitespace-nowrap tabular-nums',
          cell: ({ at }) => formatDateTime(at),
        },
        ...(mayChange
          ? [
              {
                key: 'act',
                title: 'Actions',
                untitled: true,
                cell: ({ id, state, kind }: ModelView) => (
                  <StateButtons key={state} slug={slug} modelId={id} state={state} kind={kind} />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

const ModelLink = ({ href, name }: { href: string; name: string }) => (
  <Link href={href} className="line-clamp-2 min-w-40 font-medium underline-offset-2 hover:underline">
    {name}
  </Link>
);
