/// The script of the challenge page: it counts the time down and waits for another state.
///
/// A request for the state takes up to 25 s. The next one follows after half a second, or after up
/// to 32 s if it failed. A page reloads once a second at most. A page that is left ends its request,
/// which a browser would keep for the back button, and a host gets only six connections. A reload
/// would stop a form on its way, so none follows one for ten seconds.
let waitingScript: StaticString = """
    (async()=>{
    const note=document.querySelector('[role=status]'),text=note.textContent,
    time=document.querySelector('time'),
    end=Date.now()+1e3*parseInt(time.dateTime.slice(2)),
    pause=ms=>new Promise(done=>setTimeout(done,ms));
    let sent=0;
    onsubmit=()=>sent=Date.now();
    setInterval(()=>{
    const left=Math.max(0,Math.round((end-Date.now())/1e3));
    time.textContent=(left/60|0)+":"+String(left%60).padStart(2,0)
    },1e3);
    for(let lost=0;;){
    let state;
    const stop=new AbortController,timer=setTimeout(onpagehide=()=>stop.abort(),4e4);
    try{
    const got=await fetch(location.pathname+'/state?wait=25&state='+note.dataset.state,
    {signal:stop.signal});
    state=got.status==404?'over':(await got.json()).state
    }catch{}
    clearTimeout(timer);
    if(state&&state!=note.dataset.state){
    await pause(Math.max(1e3-performance.now(),sent+1e4-Date.now()));
    return location.reload()
    }
    lost=state?0:Math.min(lost+1,5);
    const now=lost>1?note.dataset.offline:text;
    if(note.textContent!=now)note.textContent=now;
    await pause(lost?1e3*2**lost:500)
    }
    })()
    """

/// The script of the last page.
let resultScript: StaticString = "document.forms[0].submit()"
