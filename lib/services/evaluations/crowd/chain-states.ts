import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { groupBy } from '@/lib/core/quality/group-by';
import { maxQuestions, type NextQuestion, nextQuestion } from '@/lib/core/robustness/fmr/chain';
import { countedAnswers } from '@/lib/services/curation/audit/counted-answers';
import { CLEAN } from './ask-crowd';

const { answers, images, items, oracleChains, oracleQuestions } = tables;

export interface ChainState {
  imageId: string;
  /** sha256 of the image as it was given. */
  source: string;
  className: string;
  width: number;
  height: number;
  length: number;
  blob: string;
  /** Steps with questions, and the majority verdicts. */
  asked: Set<number>;
  verdicts: Map<number, boolean>;
  next: NextQuestion;
  /** Null until they have answered. */
  isCleanRight: boolean | null;
}

type Row = Omit<ChainState, 'asked' | 'verdicts' | 'next' | 'isCleanRight'> & {
  questions: { step: number; itemId: string; isSettled: boolean }[];
};

/** Loads the chains of an evaluation with the verdicts so far. Two statements. */
export async function loadChainStates(db: Db, evaluationId: string): Promise<ChainState[]> {
  const found = await db.execute<Row>(sql`
    select c.image_id as "imageId", p.source_sha256 as source, c.class_name as "className", c.width, c.height,
      c.length, c.blob,
      coalesce(jsonb_agg(jsonb_build_object('step', q.step, 'itemId', q.item_id, 'isSettled', i.state = 'settled'))
        filter (where q.step is not null), '[]'::jsonb) as questions
    from ${oracleChains} c
    join ${images} p on p.id = c.image_id
    left join ${oracleQuestions} q on q.evaluation_id = c.evaluation_id and q.image_id = c.image_id
    left join ${items} i on i.id = q.item_id
    where c.evaluation_id = ${evaluationId}
    group by c.evaluation_id, c.image_id, p.source_sha256
    order by c.image_id`);
  const settled = found.rows.flatMap(({ questions }) =>
    questions.filter(({ isSettled }) => isSettled).map(({ itemId }) => itemId),
  );
  const votes = groupBy(await countedAnswers(db, [...new Set(settled)]), ({ itemId }) => itemId);
  return found.rows.map(({ questions, ...chain }) => {
    const verdicts = new Map<number, boolean>();
    for (const { step, itemId, isSettled } of questions) {
      const given = isSettled ? (votes.get(itemId) ?? []) : [];
      if (given.length > 0) verdicts.set(step, isClassSeen(given, chain.className));
    }
    const steps = new Map([...verdicts].filter(([step]) => step !== CLEAN));
    return {
      ...chain,
      asked: new Set(questions.map(({ step }) => step)),
      verdicts,
      next: nextQuestion(chain.length, steps),
      isCleanRight: verdicts.get(CLEAN) ?? null,
    };
  });
}

/** Whether more than half of the workers chose the class; "cannot tell" counts against it. */
const isClassSeen = (
  votes: readonly { value: { kind: string; className?: string } }[],
  className: string,
): boolean =>
  2 * votes.filter(({ value }) => value.kind === 'class' && value.className === className).length >
  votes.length;

/** No questions are left for the image. */
export const isOver = ({ next, isCleanRight }: ChainState): boolean =>
  'last' in next && isCleanRight !== null;

/** Steps that need a question and have none yet. */
export function pendingSteps({ next, asked }: ChainState): number[] {
  const steps = [CLEAN, ...('ask' in next ? [next.ask] : [])];
  return steps.filter((step) => !asked.has(step));
}

interface CrowdProgress {
  images: number;
  /** Asked so far, of these open, and as many as there can be in all. */
  questions: number;
  open: number;
  most: number;
  /** Received answers and their workers. */
  answers: number;
  people: number;
}

type ProgressRow = Omit<CrowdProgress, 'most'> & { lengths: number[] };

/** Progress of the crowd questions of an evaluation. One statement. */
export async function loadCrowdProgress(db: Db, evaluationId: string): Promise<CrowdProgress> {
  const found = await db.execute<ProgressRow>(sql`
    with asked as (
      select i.id, i.state from ${oracleQuestions} q join ${items} i on i.id = q.item_id
      where q.evaluation_id = ${evaluationId}),
    given as (
      select a.worker_id from ${answers} a where a.item_id in (select id from asked))
    select (select count(*)::int from ${oracleChains} c where c.evaluation_id = ${evaluationId}) as images,
      array(select c.length from ${oracleChains} c where c.evaluation_id = ${evaluationId}) as lengths,
      (select count(*)::int from asked) as questions,
      (select count(*)::int from asked where state = 'open') as open,
      (select count(*)::int from given) as answers,
      (select count(distinct worker_id)::int from given) as people`);
  const [row] = found.rows;
  if (!row) throw new Error('Counts have a row.');
  const { lengths, ...rest } = row;
  return { ...rest, most: lengths.reduce((sum, length) => sum + 1 + maxQuestions(length), 0) };
}
