/** Sends a file and says how far it is: fetch does not tell that, XMLHttpRequest does. Gives its receipt. */
export function sendFile(
  address: string,
  file: File,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener('abort', stop);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onerror = () => reject(new Error('The line broke while the file was sent. Try again.'));
    request.onabort = () => reject(new Error('Stopped.'));
    request.onload = () => {
      const said = parsed(request.responseText);
      if (request.status === 201 && said?.receipt) resolve(said.receipt);
      else reject(new Error(said?.detail ?? `The server answered ${request.status}.`));
    };
    request.onloadend = () => signal.removeEventListener('abort', stop);
    request.open('POST', address);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.send(file);
  });
}

function parsed(text: string): { receipt?: string; detail?: string } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
