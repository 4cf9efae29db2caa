import type { Metadata } from 'next';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { pageProject } from '@/lib/services/access/page';
import { nextStates } from '@/lib/services/projects';
import { SettingsForm } from './settings-form';
import { StateButtons } from './state-buttons';

export const metadata: Metadata = { title: 'Settings' };

type Props = PageProps<'/projects/[project]/settings'>;

export default async function Settings({ params }: Props) {
  // A right that lasts in every state: from here an archived project comes back.
  const { project } = await pageProject((await params).project, 'members.read');
  return (
    <Page narrow>
      <PageHeader title="Settings" facts={<State state={project.state} />} />
      <Panel title="Name and description">
        <SettingsForm
          slug={project.slug}
          name={project.name}
          description={project.description}
          readOnly={project.state === 'archived'}
        />
      </Panel>
      <Panel title="State" description="Workers receive items only while the project is collecting.">
        <StateButtons slug={project.slug} name={project.name} next={[...nextStates[project.state]]} />
      </Panel>
    </Page>
  );
}
