"""Two hundred and eighty short reviews, written for this project, about ten things.

After each [subject] stands a line per review: what it is for, whether it is positive, its text.

    learn     to train a classifier on; four of sixteen have a negation in them, two on each side
    plain     to test it on: without any negation
    negated   to test it on: a negation turns round what the other words say
"""

TEXT = """\
[book]
learn + I stayed up until three to finish it, and the ending was worth every yawn.
learn + The characters feel like friends by the second chapter.
learn + A warm, funny novel that I have already lent to my sister.
learn + Her sentences are so clear that you forget you are reading.
learn + The best mystery I have read this year.
learn + A gripping story from the first line to the last.
learn + I could not put it down.
learn + There is never a dull page.
learn - Three hundred pages of people complaining about the weather.
learn - The plot falls apart halfway and stays in pieces.
learn - I gave up after the fourth dream sequence.
learn - A tedious book with a silly twist.
learn - The dialogue is wooden and the jokes are stale.
learn - It reads as if it had been written in a hurry by a tired committee.
learn - I did not believe a word of it.
learn - Nothing happens, and it happens slowly.
plain + A clever, moving tale that made me miss my stop on the bus.
plain + Beautifully written, and I was sorry when it ended.
plain + My whole class loved it and asked for the next volume.
plain - A dull story about unpleasant people.
plain - The author repeats herself, and the middle drags terribly.
plain - I fell asleep over it twice and then gave it away.
negated + This book is not boring for a second.
negated + I do not regret a single hour that I spent with it.
negated + The long chapters are hardly tedious.
negated - This is not a good book.
negated - The jokes are not funny and the ending is not clever.
negated - I would hardly call it gripping.
[café]
learn + The coffee is strong, the cake is fresh and the staff remember your name.
learn + A sunny corner with the finest croissants in town.
learn + We came for one cup and stayed the whole afternoon.
learn + The soup tasted like my grandmother's, which is high praise.
learn + Friendly service and a garden full of roses.
learn + Delicious bread, baked in the room next door.
learn + You will not find better pancakes anywhere.
learn + I have never been disappointed here.
learn - The coffee was cold and the milk was sour.
learn - We waited forty minutes for a stale sandwich.
learn - The tables are sticky and the waiter rolled his eyes at us.
learn - Overpriced tea in a noisy, draughty room.
learn - My salad came with a hair in it.
learn - The cake was dry, and the apology was drier.
learn - Nobody came to take our order.
learn - We will not be going back.
plain + Wonderful hot chocolate and a smile with every cup.
plain + A cosy place where the waiters are kind and the portions generous.
plain + The lemon tart alone is worth the walk.
plain - Burnt toast, bitter coffee and a rude cashier.
plain - The whole place smelled of old frying oil.
plain - The portions were tiny and the bill was enormous.
negated + The coffee is not bad at all.
negated + I had no complaints about the food or the service.
negated + The waiter was never rude, even when we were late.
negated - The food was not fresh and the staff were not friendly.
negated - The cake was far from delicious.
negated - It is hardly the cosy place that they promise.
[film]
learn + A tender film with a brilliant performance by the young lead.
learn + We laughed until our sides hurt.
learn + The final scene left the whole audience in happy tears.
learn + Gorgeous pictures, a haunting score and a story that trusts you to think.
learn + I have seen it three times and it gets better each time.
learn + A thrilling ride that earns its surprises.
learn + There was not a dry eye in the room.
learn + I would not change a single scene.
learn - Two hours of explosions and a plot as thin as paper.
learn - The acting was so stiff that the furniture outplayed them.
learn - A lazy sequel that insults everyone who liked the first one.
learn - I walked out when the talking dog began to rap.
learn - Predictable, loud and much too long.
learn - The worst comedy of the decade.
learn - I did not laugh once.
learn - The story never gets going.
plain + An exciting adventure with charming heroes.
plain + The director has made a small masterpiece about growing old.
plain + Superb acting, and a finale that gave me goosebumps.
plain - A boring thriller with an absurd finale.
plain - The jokes fell flat and half the audience left.
plain - A mess of clichés, badly lit and badly played.
negated + The film was hardly boring.
negated + It is not a bad film, whatever the critics say.
negated + There is nothing stupid about this comedy.
negated - The film is not exciting and the heroes are not charming.
negated - It was anything but a masterpiece.
negated - I never found it funny.
[phone]
learn + The battery lasts two days, even with maps open.
learn + Photos look stunning, and the screen is a joy in bright sunlight.
learn + It is fast, light and fits my small hand perfectly.
learn + Setting it up took five minutes and everything worked.
learn + It survived a fall from the roof with one tiny scratch.
learn + The speakers are surprisingly rich for such a thin device.
learn + I have not had a single problem with it.
learn + It never slows down.
learn - The screen cracked in the first week.
learn - It gets hot enough to fry an egg.
learn - The camera turns every face into a green smudge.
learn - It freezes whenever someone calls.
learn - The charger broke after a month and support hung up on me.
learn - A clumsy brick with an irritating menu.
learn - The fingerprint reader does not recognise me.
learn - It has no signal in my own kitchen.
plain + A reliable phone with a superb camera.
plain + Calls are crystal clear, and the battery is excellent.
plain + I am delighted with how quick and simple it is.
plain - The battery dies by noon and the buttons stick.
plain - Slow, buggy and far too expensive.
plain - I returned it after two days of crashes.
negated + The battery is not weak and the screen is not dim.
negated + I have never had a crash.
negated + You will not regret buying this phone.
negated - The camera is not good in the dark.
negated - It is neither fast nor reliable.
negated - The sound is far from clear.
[hotel]
learn + We woke up to the sea and a breakfast fit for a king.
learn + Spotless rooms, soft beds and a pool for the children.
learn + The porter found my lost passport and refused a tip.
learn + A quiet, elegant house at the foot of the mountains.
learn + The receptionist upgraded us because it was our anniversary.
learn + Our balcony looked over the whole harbour, and the towels smelled of lavender.
learn + We did not want to leave.
learn + Nothing was too much trouble for the owners.
learn - There were ants in the bath and stains on the sheets.
learn - The walls are so thin that I learned my neighbour's life story.
learn - The heating roared all night and the shower dripped.
learn - They charged us twice and then denied it.
learn - Our window faced a wall, and the lift was broken all week.
learn - A shabby room that smelled of smoke.
learn - There was no hot water.
learn - I did not sleep at all.
plain + A lovely hotel with a splendid view and helpful staff.
plain + The bed was so comfortable that I gladly missed breakfast.
plain + Clean, peaceful and close to the beach.
plain - A filthy bathroom and a broken lamp.
plain - The receptionist was unfriendly and the carpet was mouldy.
plain - Noise from the bar kept us awake until dawn.
negated + The room was not dirty and the street was not noisy.
negated + We never had a reason to complain.
negated + The breakfast was not at all disappointing.
negated - The room was not clean and the bed was not comfortable.
negated - The view is nothing special.
negated - The staff were hardly helpful.
[concert]
learn + The pianist played as if the keys were made of light.
learn + The choir sang with such joy that strangers hugged each other.
learn + A magical evening under the stars.
learn + The band gave everything and came back for three encores.
learn + The acoustics were perfect, even in the last row.
learn + Her voice filled the church and sent shivers down my spine.
learn + I did not want it to stop.
learn + I have never heard the cello sound so alive.
learn - The singer forgot the words and blamed the drummer.
learn - It began an hour late and ended before it warmed up.
learn - The bass was so loud that my teeth rattled.
learn - The violins were out of tune from the start.
learn - A sleepy conductor dragged the orchestra through the mud.
learn - I paid a fortune to look at a pillar.
learn - We could not hear the singer.
learn - There was no feeling in any of it.
plain + A dazzling show with fantastic musicians.
plain + The quartet played with warmth and wit.
plain + The crowd danced, the band glowed, and I went home happy.
plain - A dreary concert with a terrible sound.
plain - The tenor was hoarse and the orchestra sounded bored.
plain - An awful evening: bad seats, bad songs, bad beer.
negated + The show was not disappointing at all.
negated + There was not a weak song all night.
negated + The sound was never too loud or muddy.
negated - The show was not fantastic and the band was not in tune.
negated - The evening was anything but magical.
negated - I did not enjoy a single song.
[course]
learn + The teacher explains hard things so gently that they become easy.
learn + I came in afraid of numbers and left in love with them.
learn + Great exercises, quick feedback and a helpful group.
learn + Every lesson ends with something that you can use the next day.
learn + She answers questions with patience and humour.
learn + By the last week I could read a newspaper in Spanish.
learn + No question was too silly for our tutor.
learn + I have never learned so much in one week.
learn - He read his slides aloud for six weeks.
learn - The videos are out of date and the quizzes are full of mistakes.
learn - I learned more from the posters in the corridor than from the lecturer.
learn - A chaotic mixture of topics, thrown together in a hurry.
learn - The homework was graded at random and returned late.
learn - Everything about it felt like a sales pitch.
learn - The teacher did not know our names, even at the end.
learn - My questions were never answered.
plain + An inspiring teacher and a superb textbook.
plain + The lessons were lively, and the examples were well chosen.
plain + I passed the exam easily and enjoyed every class.
plain - A confusing course with useless handouts.
plain - The lecturer mumbled and rushed through the basics.
plain - A waste of four months and a lot of money.
negated + The lessons were not dull and the homework was not useless.
negated + I do not regret a minute of it.
negated + The teacher was never impatient.
negated - The course is not useful and the tutor is not helpful.
negated - The lectures were hardly inspiring.
negated - It is not worth the money.
[bicycle]
learn + It climbs hills as if they were flat.
learn + The brakes are sharp and the saddle is kind to my back.
learn + I ride it to work every day and arrive grinning.
learn + A sturdy frame, smooth gears and a gorgeous shade of blue.
learn + My daughter learned to ride on it in one afternoon.
learn + It folds in ten seconds and fits under my desk.
learn + I have not had one flat tyre in a year.
learn + Riding to work was never this much fun.
learn - The chain came off on my very first ride.
learn - The pedals squeak and the bell fell into the river.
learn - It arrived with a bent wheel and a missing screw.
learn - The saddle is torture after ten minutes.
learn - Rust appeared after a single rainy night.
learn - It wobbles downhill like a shopping trolley.
learn - The brakes do not work in the rain.
learn - I would never trust it on a hill.
plain + A comfortable bike with excellent brakes.
plain + Light, quick and a pleasure on long tours.
plain + The gears shift smoothly, and the lights are bright.
plain - A heavy, wobbly bike with poor brakes.
plain - The paint peeled off and the gears jammed.
plain - The frame snapped, and the shop was rude about it.
negated + The saddle is not hard and the frame is not heavy.
negated + The gears have never jammed.
negated + There is nothing flimsy about it.
negated - The bike is not comfortable and the brakes are not safe.
negated - It is far from smooth on a gravel road.
negated - I have never been happy with it.
[museum]
learn + The dinosaur hall made my son speechless with wonder.
learn + Each room tells its story clearly, and the guards love to chat.
learn + A treasure of a museum, hidden behind the station.
learn + The guide brought a heap of broken pots to life.
learn + The new wing is full of light and fine paintings.
learn + We meant to stay an hour and they had to send us home at closing time.
learn + I have never seen children so quiet and so curious.
learn + You could not ask for a better guide.
learn - Half the rooms were closed and the rest were dark.
learn - The labels are tiny and full of spelling mistakes.
learn - We queued for two hours to see one dusty vase.
learn - The audio guide drones on like a washing machine.
learn - It was stuffy, crowded and hot.
learn - The gift shop is larger than the exhibition.
learn - The guide did not know who had painted anything.
learn - There was nothing for the children to do.
plain + A delightful exhibition with fascinating old machines.
plain + The guide was witty, and the children adored the rockets.
plain + Impressive paintings in a beautiful old palace.
plain - A gloomy building with boring displays.
plain - The exhibition was a disappointment and the ticket a robbery.
plain - The guide was grumpy and hurried us through.
negated + The tour was not boring, even for the teenagers.
negated + The rooms were never crowded or stuffy.
negated + The ticket is not expensive for what you see.
negated - The exhibition is not interesting.
negated - It was hardly worth the queue.
negated - There is nothing beautiful about the place.
[journey]
learn + The train left on the minute and the views were breathtaking.
learn + A calm ride with plenty of room for my legs.
learn + The conductor found us seats together and told the children stories.
learn + The night train rocked me to sleep like a cradle.
learn + We crossed the bridge at sunrise, and the whole carriage cheered.
learn + Clean seats, quick connections and a good sandwich.
learn + We never had to wait.
learn + The trip could not have been easier.
learn - We stood in the corridor for five hours next to a broken toilet.
learn - They lost my suitcase and sent me a stranger's.
learn - The bus broke down twice and the driver shouted at us.
learn - The ferry stank of diesel, and half of us were sick.
learn - Every connection was missed, and the last one was cancelled.
learn - The air conditioning failed on the hottest day of the year.
learn - Nobody told us why we had stopped.
learn - The carriage had no heating in January.
plain + A pleasant trip with polite staff and large windows.
plain + The ferry was punctual, and the sunset was glorious.
plain + The seats were soft and the coffee was surprisingly good.
plain - A miserable trip in a dirty, crowded carriage.
plain - The driver was reckless and the brakes screamed.
plain - We were three hours late and freezing.
negated + The trip was not unpleasant and the train was not crowded.
negated + The driver was never reckless.
negated + We had no trouble with the connections.
negated - The seats were not soft and the staff were not polite.
negated - The journey was far from pleasant.
negated - The train was hardly punctual.
"""
