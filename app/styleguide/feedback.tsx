import { Plus } from 'lucide-react';
import { Badge } from '@/app/_ui/badge';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { ErrorState } from '@/app/_ui/error-state';
import { Panel, Section } from '@/app/_ui/panel';
import { Progress } from '@/app/_ui/progress';
import { SkeletonRows } from '@/app/_ui/skeleton';

const cancel = (
  <Button variant="quiet" size="small">
    Cancel
  </Button>
);

export function Feedback() {
  return (
    <Section title="Feedback">
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Empty" flush>
          <EmptyState
            title="No images yet"
            action={
              <Button variant="primary" icon={<Plus aria-hidden />}>
                Add images
              </Button>
            }
          >
            A project starts with pictures. Drop a folder or a zip; the class can be the folder’s name.
          </EmptyState>
        </Panel>
        <Panel title="Error" flush>
          <ErrorState
            title="The images could not be listed"
            requestId="0199f2c1-7d5e"
            action={<Button>Try again</Button>}
          >
            The database did not answer within 5 s. Nothing is lost. Try again; if it goes on, look at Health.
          </ErrorState>
        </Panel>
        <Panel title="Progress">
          <div className="flex flex-col gap-5">
            <Progress
              title="Import of birds.zip"
              label="Import of birds.zip"
              state="running"
              done={1840}
              total={5000}
              text="Making thumbnails"
              secondsLeft={94}
              cancel={cancel}
            />
            <Progress
              title="Count files"
              label="Count files"
              state="running"
              done={0}
              total={null}
              cancel={cancel}
            />
            <Progress
              title="Export to COCO"
              label="Export"
              state="retrying"
              done={30}
              total={120}
              text="Second attempt"
              cancel={cancel}
            />
            <Progress
              title="Export to YOLO"
              label="Export"
              state="failed"
              done={30}
              total={120}
              text="The disk is full"
            />
          </div>
        </Panel>
        <Panel title="Loading" flush>
          <SkeletonRows />
        </Panel>
        <Panel title="Badges">
          <div className="flex flex-wrap gap-2">
            <Badge>neutral</Badge>
            <Badge tone="busy">12 new</Badge>
            <Badge tone="good">passed</Badge>
            <Badge tone="warn">near the bar</Badge>
            <Badge tone="bad">3 failed</Badge>
          </div>
        </Panel>
      </div>
    </Section>
  );
}
