'use client';

import { ChevronDown, Download, FileUp } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '@/app/_ui/button';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/app/_ui/menu';
import { toast } from '@/app/_ui/toasts';
import { DatasetSchema, type SchemaEdit } from '@/lib/core/schema';
import { readPreset } from './actions';

interface StartFromProps {
  slug: string;
  presets: { id: string; name: string }[];
  edit: (edit: SchemaEdit) => void;
  schema: DatasetSchema;
}

/** The draft from elsewhere, and to elsewhere: a preset, a file. */
export function StartFrom({ slug, presets, edit, schema }: StartFromProps) {
  const input = useRef<HTMLInputElement>(null);
  const fromPreset = async (id: string) => {
    const preset = await readPreset(id);
    if (preset) edit({ do: 'replace', schema: preset });
  };
  const fromFile = async (file: File | undefined) => {
    if (!file) return;
    const read = await readFile(file);
    if (read.schema) edit({ do: 'replace', schema: read.schema });
    else toast.error(read.problem);
  };
  const toFile = () => {
    const url = URL.createObjectURL(
      new Blob([`${JSON.stringify(schema, null, 2)}\n`], { type: 'application/json' }),
    );
    const link = document.createElement('a');
    link.href = url;
    link.download = `${slug}-schema.json`;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Schema file"
        accept=".json,application/json"
        onChange={(event) => {
          void fromFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Menu
        align="end"
        trigger={
          <Button>
            Start from <ChevronDown aria-hidden />
          </Button>
        }
      >
        <MenuLabel>Replace the draft by a preset</MenuLabel>
        {presets.map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => void fromPreset(id)}>
            {name}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<FileUp aria-hidden />} onSelect={() => input.current?.click()}>
          A JSON file …
        </MenuItem>
        <MenuItem icon={<Download aria-hidden />} onSelect={toFile}>
          Export the draft as JSON
        </MenuItem>
      </Menu>
    </>
  );
}

type FileRead = { schema: DatasetSchema; problem?: undefined } | { schema?: undefined; problem: string };

async function readFile(file: File): Promise<FileRead> {
  try {
    const parsed = DatasetSchema.safeParse(JSON.parse(await file.text()));
    if (parsed.success) return { schema: parsed.data };
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.');
    return { problem: `${file.name} is not a schema: ${place ? `${place}: ` : ''}${issue?.message}.` };
  } catch {
    return { problem: `${file.name} is not JSON.` };
  }
}
