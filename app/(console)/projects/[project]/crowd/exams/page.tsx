import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { formatPercentInterval } from '@/lib/core/format';
import { wilson } from '@/lib/core/quality/interval';
import { pageProject } from '@/lib/services/access/page';
import { type CrowdStage, crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { type ExamAttempt, examAttempts } from '@/lib/services/crowd/overview/worker-stages';
import { barOf } from '@/lib/services/crowd/policy/exam-bar';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { CrowdPage } from '../crowd-page';
import { AttemptTable } from './attempt-table';
import { BarChooser } from './bar-chooser';

export const metadata: Metadata = { title: 'Exams' };

type Props = PageProps<'/projects/[project]/crowd/exams'>;

export default async function Exams({ params }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const db = database();
  const [stages, schema] = await Promise.all([crowdStages(db, project), readProjectSchema(db, project.id)]);
  const attempts = await examAttempts(db, project.id, { options: schema?.attributes.length ?? 0 });
  const withExam = stages.filter((stage) => barOf(stage.kind, stage.policy));
  return (
    <CrowdPage
      slug={project.slug}
      at="/exams"
      title="Exams"
      description="How those who sat an exam did, and where the bar lies. Move a bar to see who would pass; nothing changes before you use it."
    >
      {withExam.length === 0 && (
        <Panel>
          <EmptyState title="No stage has an exam">
            Exams are for stages that ask for attributes or masks. This project has none.
          </EmptyState>
        </Panel>
      )}
      {withExam.map((stage) => (
        <StageExam
          key={stage.id}
          slug={project.slug}
          stage={stage}
          attempts={attempts.filter((attempt) => attempt.stageId === stage.id)}
          readOnly={project.state === 'archived'}
        />
      ))}
    </CrowdPage>
  );
}

interface StageExamProps {
  slug: string;
  stage: CrowdStage;
  attempts: ExamAttempt[];
  readOnly: boolean;
}

function StageExam({ slug, stage, attempts, readOnly }: StageExamProps) {
  const bar = barOf(stage.kind, stage.policy);
  if (!bar) return null;
  const people = new Set(attempts.map((attempt) => attempt.workerId));
  const passed = new Set(attempts.filter((attempt) => attempt.passed).map((attempt) => attempt.workerId));
  const share = wilson(passed.size, people.size);
  const { isRequired } = bar.kind === 'attributes' ? stage.policy.attributeExam : stage.policy.maskExam;
  return (
    <Panel
      title={stage.name}
      description={
        share
          ? `${passed.size} of ${people.size} passed: ${formatPercentInterval(share.value, [share.low, share.high], 0)}`
          : isRequired
            ? 'Nobody has finished this exam yet.'
            : 'The policy asks for no exam here.'
      }
    >
      {attempts.length === 0 ? (
        <EmptyState
          title="No exam has been finished"
          action={<ButtonLink href={`/projects/${slug}/crowd/invite`}>Invite workers</ButtonLink>}
        >
          The bar in force is in the policy. Once people have sat the exam, their scores appear here and the
          bar can be chosen from them.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-4">
          <BarChooser
            // Remounts the chart when the bar was changed elsewhere.
            key={JSON.stringify(bar)}
            slug={slug}
            stageId={stage.id}
            inForce={bar}
            sittings={attempts.map(({ workerId, name, precision, recall, accuracy, meanIou, passed }) => ({
              workerId,
              name,
              precision,
              recall,
              accuracy,
              meanIou,
              passed,
            }))}
            readOnly={readOnly}
          />
          <AttemptTable slug={slug} kind={bar.kind} attempts={attempts} />
        </div>
      )}
    </Panel>
  );
}
