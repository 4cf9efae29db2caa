import { ArrowRight } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { isOpenIn } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { nextStep, readSetup, type SetupStep, setupSteps } from '@/lib/services/curation/setup';
import { StartCollecting } from './start-collecting';
import { StepRow } from './step-row';

export const metadata: Metadata = { title: 'Set-up' };

type Props = PageProps<'/projects/[project]/setup'>;

export default async function Setup({ params }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const steps = setupSteps(await readSetup(database(), project));
  const next = nextStep(steps);
  const home = `/projects/${project.slug}`;
  const isOpen = isOpenIn('images.write', project.state);
  return (
    <Page narrow>
      <PageHeader
        title="Set-up"
        facts={<State state={project.state} />}
        description="From an empty project to the first label. Every step can be left and taken up again; what it says is read from the project."
        action={
          <MainAction
            slug={project.slug}
            state={project.state}
            next={isOpen ? next : undefined}
            home={home}
          />
        }
      />
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
        {steps.map((step, index) => (
          <StepRow
            key={step.id}
            number={index + 1}
            step={step}
            home={isOpen ? home : null}
            isNext={isOpen && step === next}
          />
        ))}
      </ol>
      {project.state === 'draft' && (
        <p className="text-ink-2">
          Workers receive items only while the project is collecting. Starting makes the first questions about
          every image; it can be paused at any time.
        </p>
      )}
    </Page>
  );
}

interface MainActionProps {
  slug: string;
  state: string;
  next: SetupStep | undefined;
  home: string;
}

/** The one thing to do now: the first step that lacks something, then the start. */
function MainAction({ slug, state, next, home }: MainActionProps) {
  if (next) {
    return (
      <ButtonLink
        variant="primary"
        href={`${home}${next.path}?setup=${next.id}`}
        icon={<ArrowRight aria-hidden />}
      >
        {next.action}
      </ButtonLink>
    );
  }
  if (state === 'draft' || state === 'paused') return <StartCollecting slug={slug} />;
  return (
    <ButtonLink variant="primary" href={home} icon={<ArrowRight aria-hidden />}>
      Open the overview
    </ButtonLink>
  );
}
