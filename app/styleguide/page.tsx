import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ConsoleShell } from '@/app/_shell/console-shell';
import { Badge } from '@/app/_ui/badge';
import { ButtonLink } from '@/app/_ui/button';
import { Page, PageHeader } from '@/app/_ui/page-header';
import type { Query } from '@/app/_ui/table';
import { Actions } from './actions';
import { Charts } from './charts';
import { Colours } from './colours';
import { Feedback } from './feedback';
import { Forms } from './forms';
import { Numbers } from './numbers';
import { Pictures } from './pictures';
import { SampleTray } from './sample-tray';
import { sampleActor, sampleProjects } from './samples';
import { Tables } from './tables';

export const metadata: Metadata = { title: 'Style guide' };

/** Every component in every state. Only while developing: it is a tool, not a page of the product. */
export default async function StyleguidePage({ searchParams }: { searchParams: Promise<Query> }) {
  if (process.env.NODE_ENV !== 'development') notFound();
  return (
    <ConsoleShell actor={sampleActor} projects={sampleProjects}>
      <Page>
        <PageHeader
          title="Style guide"
          facts={<Badge>development only</Badge>}
          description="Neutral surfaces, one accent, 13 px, tabular figures. The picture is the brightest thing on the page."
          action={
            <ButtonLink href="/styleguide/worker" variant="primary">
              Worker's frame
            </ButtonLink>
          }
        />
        <Numbers />
        <Tables query={await searchParams} />
        <Charts />
        <Actions />
        <Forms />
        <Feedback />
        <Pictures />
        <Colours />
      </Page>
      <SampleTray />
    </ConsoleShell>
  );
}
