'use client';

import { FileUp } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { Button, ButtonLink } from '@/app/_ui/button';
import { FormError, RadioGroup } from '@/app/_ui/forms';
import { SmallTable } from '@/app/_ui/table';
import { formatCount, formatNumber } from '@/lib/core/format';

interface Report {
  lines: number;
  imported: number;
  unchanged: number;
  refused: { line: number; reason: string }[];
}

/** Sends the file as it is and shows what became of every line. */
export function ImportForm({ slug }: { slug: string }) {
  const [report, setReport] = useState<Report>();
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);

  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const file = form.get('file');
    if (!(file instanceof File) || file.size === 0) return setProblem('Choose a file first.');
    setPending(true);
    setProblem(undefined);
    setReport(undefined);
    try {
      const use = form.get('state') === 'active';
      const response = await fetch(`/api/v1/projects/${slug}/gold/import?use=${use}`, {
        method: 'POST',
        body: file,
      });
      const body = await response.json();
      if (response.ok) setReport(body);
      else setProblem(body.detail ?? `The server answered ${response.status}.`);
    } catch {
      setProblem('The server did not answer. Nothing was imported: try again.');
    }
    setPending(false);
  };
  return (
    <div className="flex flex-col gap-4">
      <form onSubmit={send} className="flex flex-col gap-4">
        <input
          type="file"
          name="file"
          aria-label="File with gold"
          accept=".jsonl,.ndjson,.json,.txt"
          className="file:mr-3 file:h-7 file:rounded-md file:border file:border-line file:bg-raised file:px-2.5 file:text-sm"
        />
        <RadioGroup
          name="state"
          legend="What becomes of it"
          defaultValue="candidate"
          options={[
            { value: 'candidate', label: 'Candidates', hint: 'A curator looks at each and confirms it.' },
            {
              value: 'active',
              label: 'Use immediately',
              hint: 'Where the policy wants two people they are candidates all the same.',
            },
          ]}
        />
        <FormError>{problem}</FormError>
        <div>
          <Button type="submit" variant="primary" pending={isPending} icon={<FileUp aria-hidden />}>
            Import
          </Button>
        </div>
      </form>
      {report && <Outcome report={report} slug={slug} />}
    </div>
  );
}

function Outcome({ report, slug }: { report: Report; slug: string }) {
  const { lines, imported, unchanged, refused } = report;
  return (
    <section aria-label="What became of the lines" className="flex flex-col gap-3">
      <p role="status" className="tabular-nums">
        {formatCount(lines, 'line')} = {formatNumber(imported)} imported + {formatNumber(unchanged)} unchanged
        + {formatNumber(refused.length)} refused
      </p>
      {refused.length > 0 && (
        <div className="rounded-md border border-line">
          <SmallTable
            caption="Refused lines"
            rows={refused}
            rowKey={({ line }) => String(line)}
            empty={null}
            columns={[
              {
                key: 'line',
                title: 'Line',
                numeric: true,
                className: 'w-16',
                cell: ({ line }) => formatNumber(line),
              },
              { key: 'reason', title: 'Reason', cell: ({ reason }) => reason },
            ]}
          />
        </div>
      )}
      <div>
        <ButtonLink href={`/projects/${slug}/gold?state=candidate`}>View the candidates</ButtonLink>
      </div>
    </section>
  );
}
