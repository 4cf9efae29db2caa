import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { can } from '@/app/_shell/can';
import { JobPanel } from '@/app/_shell/job-panel';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { type SaliencyMap, saliencyKind } from '@/lib/services/evaluations/compare-evaluations';
import { companionIds } from '@/lib/services/evaluations/evaluation-request';
import { type Board, findFinding, groupIntoBoards } from '@/lib/services/evaluations/leaderboard';
import { type EvaluationView, listEvaluations } from '@/lib/services/evaluations/list-evaluations';
import { ALL_SPLITS } from '@/lib/services/evaluations/select-images';
import { getLastTransfer } from '@/lib/services/evaluations/transfer/read-transfer';
import { modelNames } from '@/lib/services/training/models';
import { findingText, headlineMetrics, intervalText } from '../evaluations/finding-text';
import { FmrTable, TradeOff } from './board-plots';
import { TransferMatrix } from './transfer-matrix';

export const metadata: Metadata = { title: 'Leaderboard' };

type Props = PageProps<'/projects/[project]/leaderboard'>;

export default async function Leaderboard({ params }: Props) {
  const access = await pageProject((await params).project);
  const { project } = access;
  const db = database();
  const boards = groupIntoBoards(await listEvaluations(db, { projectId: project.id }));
  const oracles = await modelNames(
    db,
    project.id,
    boards.flatMap(({ options }) => companionIds(options)),
  );
  const transfer = await getLastTransfer(db, project.id);
  const mayStart = can('evaluations.write', access) && (!transfer || transfer.finishedAt !== null);
  const home = `/projects/${project.slug}`;
  return (
    <Page>
      <PageHeader
        title="Leaderboard"
        description="A table compares models that were evaluated with the same version, suite, preset, split, images, seed, oracle and generator."
      />
      {transfer && transfer.state !== 'done' && (
        <JobPanel job={transfer} fallback={<>Finished images are kept. Start again to continue.</>} />
      )}
      {boards.length === 0 ? (
        <Panel title="Leaderboard" flush>
          <EmptyState
            title="No comparable evaluations yet"
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
        boards.map((board) => (
          <BoardPanel key={board.key} board={board} oracles={oracles} home={home}>
            <TransferMatrix board={board} slug={project.slug} home={home} mayStart={mayStart} />
          </BoardPanel>
        ))
      )}
    </Page>
  );
}

interface BoardProps {
  board: Board;
  /** Names of models, by id. */
  oracles: ReadonlyMap<string, string>;
  home: string;
  children: ReactNode;
}

const mapWords: Record<SaliencyMap, string> = {
  'class map': 'class map',
  sensitivity: 'tiles, by gradient',
  occlusion: 'tiles, by hiding',
};

function BoardPanel({ board, oracles, home, children }: BoardProps) {
  const { version, suite, options, entries } = board;
  const judges = options.oracle.map((id) => oracles.get(id) ?? id).join(', ');
  const drawing = options.generator === 'search' ? '' : (oracles.get(options.generator) ?? options.generator);
  const images = entries[0]?.metrics?.images ?? options.images;
  // Shown only if the settings differ, because the figures are then not comparable.
  const isMixed = new Set(entries.map(saliencyKind)).size > 1;
  return (
    <Panel
      title={`Version ${version}, suite ${suite}, preset ${options.preset}`}
      description={`The same ${formatNumber(images)} images of ${options.split === ALL_SPLITS ? 'all splits' : `split ${options.split}`}, seed ${options.seed}${judges && `, oracle: ${judges}`}${drawing && `, generator: ${drawing}`}. Sorted by clean accuracy.${board.plan === null ? ' Evaluated before variants were recorded: evaluate the models again to compare them with newer results.' : ''}`}
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
                className="line-clamp-2 min-w-28 font-medium underline-offset-2 hover:underline"
              >
                {model}
              </Link>
            ),
          },
          ...headlineMetrics.map(([id, title]) => ({
            key: id,
            // The table below shows the full name.
            title: id === 'fmr' ? 'FMR' : title,
            className: 'whitespace-normal',
            numeric: true,
            cell: (evaluation: EvaluationView) => {
              const finding = findFinding(evaluation, id);
              const ends = finding && intervalText(finding);
              return (
                <>
                  <span className="whitespace-nowrap">{findingText(finding)}</span>
                  {ends && <span className="block text-2xs whitespace-nowrap text-ink-3">{ends}</span>}
                  {id === 'saliency-lift' && finding && isMixed && (
                    <span className="block text-2xs whitespace-nowrap text-ink-3">
                      {mapWords[saliencyKind(evaluation)]}
                    </span>
                  )}
                </>
              );
            },
          })),
          {
            key: 'at',
            title: 'When, UTC',
            className: 'whitespace-nowrap text-xs tabular-nums',
            // Two lines, day and hour, leave more room for the figures.
            cell: ({ at }: EvaluationView) =>
              formatDateTime(at)
                .split(' ')
                .map((part) => (
                  <span key={part} className="block">
                    {part}
                  </span>
                )),
          },
        ]}
      />
      <FmrTable board={board} />
      {children}
      <TradeOff board={board} home={home} />
    </Panel>
  );
}
