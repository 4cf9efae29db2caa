import type { Metadata } from 'next';
import Link from 'next/link';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { ALL } from '@/lib/evaluate/chosen-split';
import { type Board, boardsOf, findingOf } from '@/lib/evaluate/leaderboard';
import { type EvaluationView, listEvaluations } from '@/lib/evaluate/list-evaluations';
import { companionIds } from '@/lib/evaluate/new-evaluation';
import { formatDateTime, formatNumber } from '@/lib/format';
import { modelNames } from '@/lib/training/models/model-names';
import { eight } from '../evaluations/eight';
import { findingText, intervalText } from '../evaluations/finding-text';
import { FmrTable, TradeOff } from './board-plots';

export const metadata: Metadata = { title: 'Leaderboard' };

type Props = PageProps<'/projects/[project]/leaderboard'>;

export default async function Leaderboard({ params }: Props) {
  const { project } = await pageProject((await params).project);
  const db = database();
  const boards = boardsOf(await listEvaluations(db, { projectId: project.id }));
  const oracles = await modelNames(
    db,
    project.id,
    boards.flatMap(({ options }) => companionIds(options)),
  );
  const home = `/projects/${project.slug}`;
  return (
    <Page>
      <PageHeader
        title="Leaderboard"
        description="Models stand in one table only where version, suite, preset, split, images, seed, oracle and generator are the same."
      />
      {boards.length === 0 ? (
        <Panel title="Leaderboard">
          <EmptyState
            title="Nothing can be compared yet"
            action={
              <ButtonLink variant="primary" href={`${home}/evaluations/new`}>
                Evaluate a model
              </ButtonLink>
            }
          >
            Evaluate two models on the same version with the same settings.
          </EmptyState>
        </Panel>
      ) : (
        boards.map((board) => <BoardPanel key={board.key} board={board} oracles={oracles} home={home} />)
      )}
    </Page>
  );
}

interface BoardProps {
  board: Board;
  /** Names of models, by id. */
  oracles: ReadonlyMap<string, string>;
  home: string;
}

function BoardPanel({ board, oracles, home }: BoardProps) {
  const { version, suite, options, entries } = board;
  const judges = options.oracle.map((id) => oracles.get(id) ?? id).join(', ');
  const drawing = options.generator === 'search' ? '' : (oracles.get(options.generator) ?? options.generator);
  const images = entries[0]?.metrics?.images ?? options.images;
  return (
    <Panel
      title={`Version ${version}, suite ${suite}, preset ${options.preset}`}
      description={`The same ${formatNumber(images)} images of ${options.split === ALL ? 'all splits' : `split ${options.split}`}, seed ${options.seed}${judges && `, oracle: ${judges}`}${drawing && `, generator: ${drawing}`}. Best accuracy first.`}
      flush
    >
      <SmallTable
        caption={`Models on version ${version}`}
        rows={entries}
        rowKey={({ id }) => id}
        empty={null}
        columns={[
          {
            key: 'model',
            title: 'Model',
            cell: ({ id, model }: EvaluationView) => (
              <Link
                href={`${home}/evaluations/${id}`}
                className="line-clamp-2 min-w-40 font-medium underline-offset-2 hover:underline"
              >
                {model}
              </Link>
            ),
          },
          ...eight.map(([id, title]) => ({
            key: id,
            // The long name has its own table below.
            title: id === 'fmr' ? 'FMR' : title,
            className: 'whitespace-normal',
            numeric: true,
            cell: (evaluation: EvaluationView) => {
              const finding = findingOf(evaluation, id);
              const ends = finding && intervalText(finding);
              return (
                <>
                  <span className="whitespace-nowrap">{findingText(finding)}</span>
                  {ends && <span className="block text-2xs text-ink-3">{ends}</span>}
                </>
              );
            },
          })),
          {
            key: 'at',
            title: 'When, UTC',
            className: 'whitespace-nowrap tabular-nums',
            cell: ({ at }: EvaluationView) => formatDateTime(at),
          },
        ]}
      />
      <FmrTable board={board} />
      <TradeOff board={board} home={home} />
    </Panel>
  );
}
