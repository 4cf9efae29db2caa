'use client';

import { FolderOpen, Upload } from 'lucide-react';
import { type ChangeEvent, useRef } from 'react';
import { type FileWithPath, useDropzone } from 'react-dropzone';
import { Button } from './button';
import { cn } from './cn';

export interface DroppedFile {
  file: File;
  /** Path below the dropped folder, with forward slashes; the class may stand in it. */
  path: string;
}

interface FileDropProps {
  onFiles: (files: DroppedFile[]) => void;
  /** What may be dropped, in words: "JPEG, PNG, WebP or a zip of them, up to 64 MB each". */
  accepts: string;
  disabled?: boolean;
}

const withPath = (file: FileWithPath): DroppedFile => ({
  file,
  path: (file.path || file.webkitRelativePath || file.name).replace(/^[./\\]+/, ''),
});

/** Whatever is dropped goes on: the server reads the bytes and answers for each file it refuses. */
export function FileDrop({ onFiles, accepts, disabled }: FileDropProps) {
  const folderInput = useRef<HTMLInputElement>(null);
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDrop: (files) => onFiles(files.map(withPath)),
    noClick: true,
    noKeyboard: true,
    disabled,
  });
  const takeFolder = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(event.target.files ?? [])].map(withPath));
    event.target.value = '';
  };
  return (
    <div
      {...getRootProps()}
      className={cn(
        'flex flex-col items-center gap-3 rounded-lg border border-dashed border-line-strong bg-surface px-6 py-10 text-center',
        isDragActive && 'border-accent bg-accent-soft',
        disabled && 'opacity-50',
      )}
    >
      <input {...getInputProps({ 'aria-label': 'Files' })} />
      <input
        ref={folderInput}
        type="file"
        multiple
        hidden
        aria-label="Folder"
        onChange={takeFolder}
        {...{ webkitdirectory: '' }}
      />
      <p className="text-base font-medium">{isDragActive ? 'Let go to add' : 'Drop files or folders here'}</p>
      <p className="text-xs text-ink-3">{accepts}</p>
      <div className="flex gap-2">
        <Button icon={<Upload aria-hidden />} onClick={open} disabled={disabled}>
          Choose files
        </Button>
        <Button
          icon={<FolderOpen aria-hidden />}
          onClick={() => folderInput.current?.click()}
          disabled={disabled}
        >
          Choose a folder
        </Button>
      </div>
    </div>
  );
}
