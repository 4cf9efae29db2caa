import { DefinitionList } from '@/app/_ui/definition-list';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { formatCount, formatNumber } from '@/lib/core/format';
import { loadCrowdProgress } from '@/lib/services/evaluations/crowd/chain-states';
import { StopAsking } from './stop-asking';

interface Props {
  slug: string;
  evaluationId: string;
  mayStop: boolean;
}

/** Progress of an evaluation that waits for workers. */
export async function CrowdPanel({ slug, evaluationId, mayStop }: Props) {
  const { images, questions, open, most, answers, people } = await loadCrowdProgress(
    database(),
    evaluationId,
  );
  return (
    <Panel
      title="Waiting for workers"
      description="Workers judge perturbed pictures, chosen by bisection. The evaluation continues when all answers are in."
      actions={mayStop && <StopAsking slug={slug} evaluationId={evaluationId} />}
    >
      <DefinitionList
        items={[
          { term: 'Images', value: formatNumber(images) },
          {
            term: 'Questions asked',
            value: `${formatNumber(questions)} of at most ${formatNumber(most)}, ${formatNumber(open)} of them open`,
          },
          {
            term: 'Answers',
            value: `${formatNumber(answers)} by ${formatCount(people, 'person', 'people')}`,
          },
        ]}
      />
    </Panel>
  );
}
