'use client';

import { ImagePlus } from 'lucide-react';
import { type ChangeEvent, useRef, useState, useTransition } from 'react';
import { callApi } from '@/app/_shell/call-api';
import { Button } from '@/app/_ui/button';
import { Field, FormError, Textarea } from '@/app/_ui/forms';
import { Markdown } from '@/app/_ui/markdown';
import { toast } from '@/app/_ui/toasts';
import type { GuideExample } from '@/lib/services/crowd/guide/example-places';
import { saveText } from './actions';
import { ExampleList } from './example-list';

interface Props {
  slug: string;
  stageId: string;
  target: string;
  saved: { short: string; full: string; examples: GuideExample[] };
  /** Signed addresses of the guide's pictures. */
  pictures: Record<string, string>;
  readOnly: boolean;
}

/** What a worker reads about a stage or one attribute, with a preview beside it. Saving makes a new number. */
export function GuideEditor({ slug, stageId, target, saved, pictures, readOnly }: Props) {
  const [text, setText] = useState(saved);
  const [addresses, setAddresses] = useState(pictures);
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const files = useRef<HTMLInputElement>(null);
  const isChanged = JSON.stringify(text) !== JSON.stringify(saved);
  const change = (part: Partial<typeof saved>) => setText((before) => ({ ...before, ...part }));

  const addPicture = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    startTransition(async () => {
      try {
        const made = await callApi<{ sha256: string; url: string }>(
          'POST',
          `/api/v1/projects/${slug}/crowd/guide-pictures?name=${encodeURIComponent(file.name.slice(-200))}`,
          { body: file },
        );
        setAddresses((before) => ({ ...before, [made.sha256]: made.url }));
        setText((before) => ({
          ...before,
          examples: [
            ...before.examples,
            { picture: made.sha256, verdict: 'good' as const, caption: '', note: '' },
          ],
        }));
        setProblem(undefined);
      } catch (error) {
        setProblem(error instanceof Error ? error.message : 'The picture could not be added: try again.');
      }
    });
  };
  const save = () =>
    startTransition(async () => {
      const { error } = await saveText(slug, { stageId, target, text });
      setProblem(error);
      if (!error) toast.success('Saved. Workers see it from their next page on.');
    });

  return (
    <div className="flex flex-col gap-5">
      <Part
        label="Short form, beside the work"
        hint="A few lines of Markdown: headings, lists, **bold**, links."
        value={text.short}
        rows={6}
        addresses={addresses}
        onChange={(short) => change({ short })}
        readOnly={readOnly}
      />
      <Part
        label="The whole, on the page of the guide"
        hint="A picture of an example can stand in the text as well: ![words](/api/blobs/its-number)."
        value={text.full}
        rows={10}
        addresses={addresses}
        onChange={(full) => change({ full })}
        readOnly={readOnly}
      />
      <section className="flex flex-col gap-2">
        <h3 className="text-xs font-medium text-ink-2">Examples</h3>
        <ExampleList
          examples={text.examples}
          addresses={addresses}
          onChange={(examples) => change({ examples })}
          readOnly={readOnly}
        />
        {!readOnly && (
          <div>
            <input
              ref={files}
              type="file"
              accept="image/*"
              hidden
              aria-label="Picture"
              onChange={addPicture}
            />
            <Button icon={<ImagePlus aria-hidden />} pending={pending} onClick={() => files.current?.click()}>
              Add a picture
            </Button>
          </div>
        )}
      </section>
      <FormError>{problem}</FormError>
      {!readOnly && (
        <div className="flex items-center gap-3">
          <Button variant="primary" pending={pending} disabled={!isChanged} onClick={save}>
            Save
          </Button>
          {isChanged && <span className="text-xs text-ink-3">Not saved yet.</span>}
        </div>
      )}
    </div>
  );
}

interface PartProps {
  label: string;
  hint: string;
  value: string;
  rows: number;
  addresses: Record<string, string>;
  onChange: (value: string) => void;
  readOnly: boolean;
}

function Part({ label, hint, value, rows, addresses, onChange, readOnly }: PartProps) {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Field label={label} hint={hint}>
        {(control) => (
          <Textarea
            {...control}
            rows={Math.max(rows, value.split('\n').length + 3)}
            value={value}
            disabled={readOnly}
            onChange={(event) => onChange(event.target.value)}
            className="font-mono text-xs"
          />
        )}
      </Field>
      <section aria-label={`Preview: ${label}`} className="flex flex-col gap-1">
        <span className="text-xs font-medium text-ink-2">Preview</span>
        <div className="min-h-16 rounded-md border border-line bg-canvas p-3">
          {value.trim() ? (
            <Markdown source={value} topLevel={4} picture={(sha256) => addresses[sha256]} />
          ) : (
            <p className="text-ink-3">Nothing is written.</p>
          )}
        </div>
      </section>
    </div>
  );
}
