//! A stand-in for a model provider on loopback: plays a list of tool calls through the Messages
//! API and keeps the results that the agent sends back.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

/// A call that the model asks for.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The tool, as the agent names it.
    pub(crate) tool: &'static str,
    /// Its input.
    pub(crate) input: Value,
}

impl Step {
    /// A shell command.
    pub(crate) fn shell(command: &str) -> Self {
        Self {
            tool: "Bash",
            input: json!({"command": command, "description": "step"}),
        }
    }
}

/// What one tool call gave, as the model saw it.
#[derive(Clone, Debug)]
pub(crate) struct ToolResult {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

#[derive(Debug, Default)]
struct Session {
    steps: Vec<Step>,
    /// Tools that the agent has never offered.
    missing: Vec<&'static str>,
    played: usize,
    results: Vec<ToolResult>,
    seen: String,
}

/// A running server. It ends with the process.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) address: SocketAddr,
    session: Arc<Mutex<Session>>,
}

impl Model {
    /// Listens on a free loopback port and asks for one call after the other.
    pub(crate) fn start(steps: Vec<Step>) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let session = Arc::new(Mutex::new(Session {
            steps,
            ..Session::default()
        }));
        let shared = Arc::clone(&session);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let session = Arc::clone(&shared);
                thread::spawn(move || {
                    // A client that hangs up is no fault of the test.
                    let _ = serve(stream, &session);
                });
            }
        });
        Ok(Self { address, session })
    }

    /// The results so far, in order; the first one for each call.
    pub(crate) fn results(&self) -> Vec<ToolResult> {
        self.session
            .lock()
            .map(|session| session.results.clone())
            .unwrap_or_default()
    }

    /// Everything that the agent has sent so far: what a real model would have seen.
    pub(crate) fn seen(&self) -> String {
        self.session
            .lock()
            .map(|session| session.seen.clone())
            .unwrap_or_default()
    }

    /// Tools of the steps that this agent does not offer.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        self.session
            .lock()
            .map(|session| session.missing.clone())
            .unwrap_or_default()
    }

    /// How many calls were asked for.
    pub(crate) fn played(&self) -> usize {
        self.session
            .lock()
            .map(|session| session.played)
            .unwrap_or_default()
    }
}

/// The id under which step `index` is asked for.
pub(crate) fn call_id(index: usize) -> String {
    format!("toolu_step_{index}")
}

fn serve(stream: TcpStream, session: &Mutex<Session>) -> Result<()> {
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    while let Some((path, body)) = request(&mut reader)? {
        let request: Value = serde_json::from_slice(&body).unwrap_or_default();
        let (kind, answer) = if path.contains("count_tokens") {
            ("application/json", json!({"input_tokens": 10}).to_string())
        } else if path.contains("/v1/messages") {
            messages(&request, session)
        } else {
            ("application/json", "{}".to_owned())
        };
        write!(
            writer,
            "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{answer}",
            answer.len()
        )?;
        writer.flush()?;
    }
    Ok(())
}

/// Path and body of the next request; `None` when the client is done.
fn request(reader: &mut BufReader<TcpStream>) -> Result<Option<(String, Vec<u8>)>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split_whitespace().nth(1).unwrap_or("/").to_owned();
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').unwrap_or((&header, ""));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse()?,
            "transfer-encoding" => chunked = value.contains("chunked"),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    while chunked {
        let mut size = String::new();
        reader.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim(), 16).context("chunk size")?;
        let start = body.len();
        body.resize(start + size, 0);
        reader.read_exact(&mut body[start..])?;
        reader.read_exact(&mut [0; 2])?;
        chunked = size > 0;
    }
    Ok(Some((path, body)))
}

fn messages(request: &Value, session: &Mutex<Session>) -> (&'static str, String) {
    let tools: Vec<&str> = request
        .get("tools")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|tool| tool.get("name")?.as_str())
        .collect();
    // Requests for a title or a summary offer no shell.
    let offered = tools.contains(&"Bash");
    let step = match session.lock() {
        Ok(mut session) => {
            keep_results(request, &mut session.results);
            session.seen.push_str(&request.to_string());
            let index = session.played;
            let step = session.steps.get(index).filter(|_| offered).cloned();
            session.played += usize::from(step.is_some());
            if let Some(step) = &step
                && !tools.contains(&step.tool)
            {
                session.missing.push(step.tool);
            }
            step.map(|step| (index, step))
        }
        Err(_) => None,
    };
    let model = request
        .get("model")
        .cloned()
        .unwrap_or_else(|| json!("scripted"));
    let (block, stop) = match &step {
        Some((index, step)) => (
            json!({"type": "tool_use", "id": call_id(*index), "name": step.tool, "input": step.input}),
            "tool_use",
        ),
        None => (json!({"type": "text", "text": "done"}), "end_turn"),
    };
    if request.get("stream").and_then(Value::as_bool) == Some(true) {
        return ("text/event-stream", stream(&model, &block, stop));
    }
    let whole = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [block],
        "stop_reason": stop, "stop_sequence": null, "usage": {"input_tokens": 10, "output_tokens": 5},
    });
    ("application/json", whole.to_string())
}

fn keep_results(request: &Value, results: &mut Vec<ToolResult>) {
    let messages = request
        .get("messages")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let blocks = messages
        .filter_map(|message| message.get("content")?.as_array())
        .flatten();
    for block in
        blocks.filter(|block| block.get("type").and_then(Value::as_str) == Some("tool_result"))
    {
        let id = block
            .get("tool_use_id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if results.iter().any(|known| known.id == id) {
            continue;
        }
        let content = block.get("content").cloned().unwrap_or_default();
        results.push(ToolResult {
            id: id.to_owned(),
            text: content
                .as_str()
                .map_or_else(|| content.to_string(), str::to_owned),
            is_error: block
                .get("is_error")
                .and_then(Value::as_bool)
                .unwrap_or(false),
        });
    }
}

/// The server-sent events of one answer.
fn stream(model: &Value, block: &Value, stop: &str) -> String {
    let text = block.get("text").cloned();
    let (start, delta) = match text {
        Some(text) => (
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": text}),
        ),
        None => {
            let mut start = block.clone();
            let input = start.get("input").cloned().unwrap_or_default();
            if let Some(map) = start.as_object_mut() {
                map.insert("input".to_owned(), json!({}));
            }
            (
                start,
                json!({"type": "input_json_delta", "partial_json": input.to_string()}),
            )
        }
    };
    let message = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 10, "output_tokens": 1},
    });
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": start}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 5}}),
        json!({"type": "message_stop"}),
    ];
    events
        .iter()
        .map(|event| {
            format!(
                "event: {}\ndata: {event}\n\n",
                event
                    .get("type")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            )
        })
        .collect()
}
