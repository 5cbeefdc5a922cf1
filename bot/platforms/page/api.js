// Requests to the server, and what is said where one fails.

export class Refused extends Error {
  constructor(status, words) {
    super(words);
    this.status = status;
  }
}

export async function call(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(path, options);
  if (!response.ok) {
    throw new Refused(response.status, (await response.text()) || `Error ${response.status}`);
  }
  return response.status === 204 ? null : response.json();
}

export const LOST = "odabot does not answer. Is it still running?";

export function wordsOf(error) {
  // This is what fetch throws where nobody answers.
  return error instanceof TypeError ? LOST : error.message;
}
